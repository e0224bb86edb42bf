import { useSite } from '#web/domain/site.ts'
import { TextField } from '#web/ui/forms/input.tsx'
import { SafeHtml } from '#web/ui/safe-html.tsx'

interface DownloadCodeFieldProps {
  value: string
  error: string
  onChange: (value: string) => void
}

/** Where a download code is typed, with the owner's words on where to get one. */
export function DownloadCodeField({ value, error, onChange }: DownloadCodeFieldProps) {
  const { code_tip } = useSite().settings.download
  return (
    <>
      <TextField
        label="下载码"
        name="code"
        value={value}
        onChange={onChange}
        error={error || undefined}
        placeholder="XXXX-XXXX-XXXX-XXXX"
        maxLength={40}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        className="font-mono uppercase"
      />
      {code_tip && (
        <SafeHtml html={code_tip} className="mt-2 text-sm wrap-anywhere text-muted [&_a]:text-accent [&_a]:underline" />
      )}
    </>
  )
}
