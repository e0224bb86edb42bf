import { KeyRound } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { proofs } from '#shared/contract/account-security.ts'
import type { FactorMethod } from '#shared/errors.ts'
import { errorMessage } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { TextField } from '#web/ui/forms/input.tsx'
import { PasswordField } from '#web/ui/forms/password-input.tsx'

type Method = FactorMethod | 'password'
type TypedMethod = Exclude<Method, 'passkey'>

interface Answer {
  code: string
  passkey: string
  password: string
}

export interface Question<T> {
  title: string
  lead: string
  /** What the button says. */
  action: string
  methods: readonly Method[]
  passkeyOptions: () => Promise<string>
  send: (answer: Answer) => Promise<T>
  onDone: (reply: T) => void
  onClose: () => void
}

/**
 * The browser's own modal dialog: it lies above the dialogs and drawers of the public site and of the back office, and no
 * focus trap of theirs reaches into it.
 */
export function FactorDialog<T>({ title, lead, onClose, ...question }: Question<T>) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // Gives the focus back.
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby="factor-title"
      aria-describedby="factor-lead"
      onCancel={onClose}
      // For a dialog below, this is no click beside it.
      onPointerDown={(event) => event.stopPropagation()}
      className="pointer-events-auto m-auto w-[26rem] max-w-[calc(100vw-2rem)] rounded-lg bg-surface p-6 text-ink shadow-soft backdrop:bg-scrim"
    >
      <h2 id="factor-title" className="text-lg">
        {title}
      </h2>
      <p id="factor-lead" className="mt-2 text-sm text-muted">
        {lead}
      </p>
      <Answers {...question} onClose={onClose} />
    </dialog>
  )
}

type Answers<T> = Omit<Question<T>, 'title' | 'lead'>

function Answers<T>({ methods, action, passkeyOptions, send, onDone, onClose }: Answers<T>) {
  const typed = methods.filter((method) => method !== 'passkey')
  const [method, setMethod] = useState(typed[0])
  const other = typed.find((one) => one !== method)
  const passkey = methods.includes('passkey') && (
    <PasskeyButton
      options={passkeyOptions}
      send={async (answer) => onDone(await send({ code: '', password: '', passkey: answer }))}
    />
  )
  if (methods.length === 0)
    return (
      <div className="mt-4 space-y-4">
        <Notice tone="warning">您的账号没有可以验证的方式，请退出后重新登录，再进行这项操作。</Notice>
        <Button wide onClick={onClose}>
          知道了
        </Button>
      </div>
    )
  return (
    <div className="mt-4 space-y-4">
      {method === 'recovery' && passkey}
      {method && (
        <TypedAnswer
          key={method}
          method={method}
          action={action}
          send={async (answer) => onDone(await send({ code: '', password: '', passkey: '', ...answer }))}
          onClose={onClose}
        />
      )}
      {method !== 'recovery' && passkey}
      {!method && (
        <Button wide onClick={onClose}>
          取消
        </Button>
      )}
      {other && (
        <button type="button" onClick={() => setMethod(other)} className="min-h-9 text-sm text-accent hover:underline">
          {kinds[other].offer}
        </button>
      )}
    </div>
  )
}

const kinds: Record<TypedMethod, { name: 'code' | 'password'; label: string; offer: string; help?: string }> = {
  totp: { name: 'code', label: '验证码', offer: '使用验证器里的验证码', help: '打开验证器 App，输入显示的六位数字' },
  recovery: {
    name: 'code',
    label: '恢复码',
    offer: '手机不在身边？使用恢复码',
    help: '开启两步验证时保存的十个恢复码之一，每个只能用一次',
  },
  password: { name: 'password', label: '登录密码', offer: '使用登录密码' },
}

interface TypedAnswerProps {
  method: TypedMethod
  action: string
  send: (answer: Partial<Answer>) => Promise<void>
  onClose: () => void
}

function TypedAnswer({ method, action, send, onClose }: TypedAnswerProps) {
  const { name, label, help } = kinds[method]
  const form = useForm({
    initial: { answer: '' },
    schema: proofs.give.input,
    required: { answer: `请输入${label}` },
    reasons: { 'security.codeWrong': 'answer', 'users.ownPasswordWrong': 'answer' },
    submit: ({ answer }) => send({ [name]: answer }),
  })
  const box = useRef<HTMLDivElement>(null)
  // Another method is chosen: its field is the next thing to fill in.
  useEffect(() => box.current?.querySelector('input')?.focus(), [])
  return (
    <form {...form.frame} className="space-y-4">
      <div ref={box}>
        {method === 'password' ? (
          <PasswordField label={label} {...form.field('answer')} autoComplete="current-password" maxLength={128} />
        ) : (
          <TextField
            label={label}
            help={help}
            {...form.field('answer')}
            autoComplete={method === 'totp' ? 'one-time-code' : 'off'}
            inputMode={method === 'totp' ? 'numeric' : 'text'}
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={32}
          />
        )}
      </div>
      {form.problem && <Notice tone="danger">{form.problem}</Notice>}
      <div className="flex justify-end gap-3">
        <Button onClick={onClose}>取消</Button>
        <Button type="submit" variant="primary" busy={form.busy}>
          {action}
        </Button>
      </div>
    </form>
  )
}

interface PasskeyButtonProps {
  options: () => Promise<string>
  send: (answer: string) => Promise<void>
}

function PasskeyButton({ options, send }: PasskeyButtonProps) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const use = async () => {
    setBusy(true)
    setProblem('')
    try {
      const { signWithPasskey } = await import('#web/features/users/security/passkeys/ceremonies.ts')
      const answer = await signWithPasskey(await options())
      if (answer !== undefined) await send(answer)
    } catch (error) {
      setProblem(errorMessage(error, '没有完成通行密钥验证，请重试，或换一种方式'))
      setBusy(false)
    }
  }
  return (
    <div className="space-y-3">
      <Button wide busy={busy} onClick={() => void use()}>
        {!busy && <KeyRound size={16} aria-hidden />}
        使用通行密钥
      </Button>
      {problem && <Notice tone="danger">{problem}</Notice>}
    </div>
  )
}
