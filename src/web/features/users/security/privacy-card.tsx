import { Card } from '#web/ui/card.tsx'
import { DataExportPart } from '#web/features/users/security/privacy/data-export.tsx'
import { DeletionPart } from '#web/features/users/security/privacy/deletion.tsx'

/** Export of one's data and deletion of the account. */
export function PrivacyCard() {
  return (
    <Card title="隐私">
      <div className="divide-y divide-line">
        <div className="pb-6">
          <DataExportPart />
        </div>
        <div className="pt-6">
          <DeletionPart />
        </div>
      </div>
    </Card>
  )
}
