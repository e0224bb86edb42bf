import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { oauth } from '#shared/contract/oauth.ts'
import { oauthTypes, type OauthType } from '#shared/enums.ts'
import { ApiError } from '#shared/errors.ts'
import { BindOrRegister } from '#web/features/users/oauth/bind-or-register.tsx'
import { dropTicket, keepTicket, type PendingTicket, readTicket } from '#web/features/users/oauth/pending-ticket.ts'
import { ScanPanel } from '#web/features/users/oauth/scan-panel.tsx'
import { completeSignIn } from '#web/features/users/sign-in/complete-sign-in.ts'
import { api } from '#web/lib/api.ts'
import { safeRedirect } from '#web/lib/redirect.ts'
import { currentSession, isSignedIn } from '#web/lib/session.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { Spinner } from '#web/ui/feedback/spinner.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

type Stage =
  | { name: 'working' }
  | { name: 'scan' }
  | { name: 'unbound'; ticket: PendingTicket }
  | { name: 'failed'; title: string; message: string }

/** What becomes of a browser that is back from another site: logged in, bound, asked to bind or register, or told why not. */
export function OauthReturn({ type }: { type: OauthType | undefined }) {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const [stage, setStage] = useState<Stage>({ name: 'working' })
  const begun = useRef('')

  const enter = async (
    reply: { token?: string | undefined; user?: Parameters<typeof completeSignIn>[0]['user'] | undefined },
    redirect: string,
  ) => {
    if (!reply.token || !reply.user) return false
    await completeSignIn({ token: reply.token, user: reply.user })
    await navigate(safeRedirect(redirect), { replace: true })
    return true
  }

  const finish = async (of: OauthType, code: string, state: string) => {
    const reply = await api(oauth.login, { type: of, code, state, iss: query.get('iss') ?? '' })
    if (await enter(reply, reply.redirect)) return
    if (reply.is_bound) {
      toast('绑定成功')
      return navigate(safeRedirect(reply.redirect), { replace: true })
    }
    if (!reply.oauth) return
    const ticket = { ...reply.oauth, redirect: reply.redirect, isBoundAfterLogin: false }
    keepTicket(ticket)
    setStage({ name: 'unbound', ticket })
    // The code is used up: it does not stay in the address.
    await navigate(`/oauth/${of}`, { replace: true })
  }

  const resume = async () => {
    const ticket = readTicket()
    if (!ticket) return type === 'wechatmp' ? setStage({ name: 'scan' }) : navigate('/login', { replace: true })
    if (!ticket.isBoundAfterLogin || !isSignedIn(currentSession())) return setStage({ name: 'unbound', ticket })
    await api(oauth.bind, { session: ticket.session })
    dropTicket()
    toast('绑定成功')
    await navigate(safeRedirect(ticket.redirect), { replace: true })
  }

  const begin = useEffectEvent(async () => {
    const [code, state] = [query.get('code'), query.get('state')]
    const refusal = query.get('error') ?? (query.get('error_code') ? 'access_denied' : null)
    try {
      if (refusal !== null) setStage({ name: 'failed', title: '没有登录', message: explain(refusal) })
      else if (type && code && state) await finish(type, code, state)
      else await resume()
    } catch (error) {
      dropTicket()
      setStage({ name: 'failed', ...describe(error) })
    }
  })
  useEffect(() => {
    // A code is good once: effects that run twice must not send it twice.
    const visit = query.get('state') ?? query.get('error') ?? 'resume'
    if (begun.current === visit || (begun.current && visit === 'resume')) return
    begun.current = visit
    void begin()
  }, [query])

  if (stage.name === 'scan')
    return <ScanPanel intent="login" onConfirmed={(reply) => enter(reply, query.get('redirect') ?? '')} />
  if (stage.name === 'unbound') return <BindOrRegister ticket={stage.ticket} onEntered={enter} />
  if (stage.name === 'failed') return <Failed title={stage.title} message={stage.message} />
  return (
    <output className="flex items-center gap-2 py-6 text-muted">
      <Spinner /> 正在登录…
    </output>
  )
}

export function toOauthType(text: string | undefined): OauthType | undefined {
  return oauthTypes.find((type) => type === text)
}

function Failed({ title, message }: { title: string; message: string }) {
  const isMember = isSignedIn(currentSession())
  return (
    <div className="space-y-5">
      <Notice tone="danger">
        <strong>{title}</strong>
        <p className="mt-1">{message}</p>
      </Notice>
      <ButtonLink to={isMember ? '/me/security' : '/login'} wide size="lg">
        {isMember ? '返回账号安全' : '返回登录'}
      </ButtonLink>
    </div>
  )
}

function describe(error: unknown): { title: string; message: string } {
  const message = error instanceof Error ? error.message : '请稍后重试'
  const isBinding = error instanceof ApiError && /^oauth\.(bound|ticket)/.test(error.reason)
  return { title: isBinding ? '绑定失败' : '登录失败', message: message.replace(/^绑定失败：/, '') }
}

/** What providers put into the address, and what our server does if it could not send the browser on. */
function explain(refusal: string): string {
  return refusals[refusal] ?? '对方没有允许登录，请重新登录，或换一种方式。'
}

const refusals: Record<string, string> = {
  access_denied: '您取消了授权。可以重新登录，或换一种方式。',
  oauth_off: '网站没有开通这种登录方式，请换一种。',
  oauth_noDomain: '网站没有设置域名，暂时不能用第三方账号登录，请联系管理员。',
  oauth_providerFailed: '暂时不能用这种方式登录，请稍后再试，或换一种方式。',
  users_slowDown: '尝试次数过多，请过几分钟再试。',
}
