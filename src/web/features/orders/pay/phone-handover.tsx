import { Smartphone } from 'lucide-react'
import { Suspense, useState } from 'react'
import { orderPath } from '#web/domain/orders.ts'
import { copyText } from '#web/lib/browser/copy-text.ts'
import { Button } from '#web/ui/button.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

const Code = lazyPart(async () => (await import('#web/ui/qr-code.tsx')).QrCode)

/** Opens this order on a phone; the page here goes on when it has been paid there. */
export function PhoneHandover({ order }: { order: { order_no: string } }) {
  const [open, setOpen] = useState(false)
  const copy = async () => {
    const isCopied = await copyText(addressOf(order))
    toast(isCopied ? '链接已复制' : '没有复制成功，请从地址栏复制', isCopied ? 'success' : 'danger')
  }
  return (
    <>
      <Button variant="quiet" onClick={() => setOpen(true)} className="max-md:hidden">
        <Smartphone size={16} aria-hidden />
        手机上付款
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="手机上付款"
        description="用手机扫码打开这个订单，登录同一个账号后付款。付好后，这个页面会自己更新。"
      >
        <div className="mx-auto mt-5 w-52 rounded-md border border-line bg-[#fff] p-2">
          <Suspense fallback={<span className="block aspect-square" />}>
            {open && <Code content={addressOf(order)} />}
          </Suspense>
        </div>
        <div className="mt-6 flex justify-end gap-3">
          <Button onClick={() => void copy()}>复制链接</Button>
          <Button variant="primary" onClick={() => setOpen(false)}>
            好
          </Button>
        </div>
      </Dialog>
    </>
  )
}

function addressOf(order: { order_no: string }): string {
  return new URL(orderPath(order), location.origin).href
}
