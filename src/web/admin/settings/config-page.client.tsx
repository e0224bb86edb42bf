import { useRevalidator } from 'react-router'
import { contract } from '#shared/contract/contract.ts'
import type { Config } from '#shared/contract/settings.ts'
import { catalogue } from '#shared/settings.ts'
import { BackupPanel } from '#web/admin/backups/backup-panel.tsx'
import { LoadError } from '#web/admin/engine/query-state.tsx'
import { NoSuchPage } from '#web/admin/screen.client.tsx'
import { SettingsForm } from '#web/admin/settings/settings-form.tsx'
import { SettingsSearch } from '#web/admin/settings/settings-search.tsx'
import { api } from '#web/lib/api.ts'

interface LoadResult {
  rows?: Config[]
  error?: unknown
}

export async function loadConfig(group: string): Promise<LoadResult> {
  if (!Object.hasOwn(catalogue, group)) return {}
  try {
    const { config } = await api(contract.settings.list, { category: [group] })
    return { rows: config }
  } catch (error) {
    return { error }
  }
}

export function ConfigPage({ group, result }: { group: string; result: LoadResult }) {
  const { revalidate } = useRevalidator()
  if (result.error) return <LoadError error={result.error} onRetry={() => void revalidate()} />
  if (!result.rows) return <NoSuchPage />
  return (
    <>
      <SettingsSearch />
      {group === 'backup' && <BackupPanel />}
      <SettingsForm key={group} group={group} rows={result.rows} />
    </>
  )
}
