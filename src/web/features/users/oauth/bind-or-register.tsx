import { useState } from 'react'
import { useNavigate } from 'react-router'
import { oauth } from '#shared/contract/oauth.ts'
import type { Reply } from '#shared/endpoint.ts'
import { dropTicket, keepTicket, type PendingTicket } from '#web/features/users/oauth/pending-ticket.ts'
import { RegisterWithTicket } from '#web/features/users/oauth/register-with-ticket.tsx'
import { api, errorMessage } from '#web/lib/api.ts'
import { safeRedirect } from '#web/lib/redirect.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { useSite } from '#web/domain/site.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

interface BindOrRegisterProps {
  ticket: PendingTicket
  onEntered: (reply: Reply<typeof oauth.bind>, redirect: string) => Promise<unknown>
}

/** An account of another site that no member has: it is bound to an account of ours, or a new one is registered. */
export function BindOrRegister({ ticket, onEntered }: BindOrRegisterProps) {
  const session = useSession()
  const navigate = useNavigate()
  const canRegister = useSite().settings.security.enable_register
  const logInFirst = () => {
    keepTicket({ ...ticket, isBoundAfterLogin: true })
    const here = `/oauth/${ticket.oauth_type}`
    void navigate(`/login?${new URLSearchParams({ redirect: here })}`)
  }
  const who = ticket.name ? `${ticket.title}账号“${ticket.name}”` : `这个${ticket.title}账号`
  if (isSignedIn(session)) return <BindToMe {...{ ticket, who }} username={session.user.username} />
  return (
    <div className="space-y-5">
      <p>{who}还没有绑定本站的用户。</p>
      <section className="space-y-3">
        <h2 className="text-base font-medium">已有本站账号</h2>
        <Button size="lg" wide onClick={logInFirst}>
          登录并绑定
        </Button>
      </section>
      <section className="space-y-3 border-t border-line pt-5">
        <h2 className="text-base font-medium">第一次来</h2>
        {canRegister ? (
          <RegisterWithTicket
            ticket={ticket}
            onRegistered={async (reply) => {
              dropTicket()
              await onEntered(reply, ticket.redirect)
            }}
          />
        ) : (
          <Notice tone="warning">网站暂未开放注册，如有需要请联系管理员。</Notice>
        )}
      </section>
    </div>
  )
}

function BindToMe({ ticket, who, username }: { ticket: PendingTicket; who: string; username: string }) {
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const bind = async () => {
    setBusy(true)
    try {
      await api(oauth.bind, { session: ticket.session })
      dropTicket()
      toast('绑定成功')
      await navigate(safeRedirect(ticket.redirect), { replace: true })
    } catch (error) {
      setProblem(errorMessage(error, '绑定失败，请稍后重试'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="space-y-5">
      <p>
        {who}还没有绑定本站的用户。您现在登录的是 <strong>{username}</strong>。
      </p>
      {problem && <Notice tone="danger">{problem}</Notice>}
      <Button variant="primary" size="lg" wide busy={busy} onClick={() => void bind()}>
        绑定到 {username}
      </Button>
    </div>
  )
}
