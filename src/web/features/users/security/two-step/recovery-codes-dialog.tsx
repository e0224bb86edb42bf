import { useState } from 'react'
import { useSite } from '#web/domain/site.ts'
import { copyText } from '#web/lib/browser/copy-text.ts'
import { saveFile } from '#web/lib/browser/save-file.ts'
import { useSession } from '#web/lib/session.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

/** Recovery codes are shown this once: the dialog is closed only by a member who says to have kept them. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const { sitename } = useSite().settings.system
  const { user } = useSession()
  const [kept, setKept] = useState(false)
  const lines = [`${sitename} 的恢复码（${user.username}），每个只能用一次：`, '', ...codes, ''].join('\n')
  const copy = async () => {
    const isCopied = await copyText(lines)
    toast(isCopied ? '恢复码已复制' : '没有复制成功，请抄写或下载', isCopied ? 'success' : 'danger')
  }
  const download = () => {
    saveFile({ name: `${sitename}-恢复码.txt`, type: 'text/plain', body: new Blob([lines], { type: 'text/plain' }) })
  }
  return (
    <Dialog open onOpenChange={() => kept && onClose()} title="保存恢复码">
      <div className="mt-4 space-y-4">
        <Notice tone="warning">
          手机丢失时，恢复码是登录的唯一办法。它们只显示这一次，请抄写、打印或保存在安全的地方。
        </Notice>
        <ul aria-label="恢复码" className="grid grid-cols-2 gap-2 rounded-md bg-sunken p-4 text-center font-mono">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-3">
          <Button size="sm" onClick={() => void copy()}>
            复制
          </Button>
          <Button size="sm" onClick={download}>
            下载
          </Button>
        </div>
        <label className="flex min-h-8 cursor-pointer items-center gap-2 text-sm">
          <input
            type="checkbox"
            checked={kept}
            onChange={({ target }) => setKept(target.checked)}
            className="size-4 accent-accent"
          />
          我已经保存好了
        </label>
        <Button variant="primary" wide aria-disabled={!kept} onClick={onClose}>
          完成
        </Button>
      </div>
    </Dialog>
  )
}
