import { useCallback, useRef, useState, type FormEvent } from 'react'
import * as z from 'zod/mini'
import { ApiError } from '#shared/errors.ts'
import { useHydrated } from '#web/lib/browser/hydrated.ts'

type Values<K extends string> = Record<K, string>
type Problems<K extends string> = Partial<Record<K, string>>

interface FormOptions<K extends string> {
  initial: Values<K>
  /** Usually the input of the endpoint that takes the form. */
  schema: z.ZodMiniObject
  /** The required fields, with the message for an empty one. */
  required?: Problems<NoInfer<K>>
  /** Checks across fields, such as two that must be equal. */
  check?: (values: Values<NoInfer<K>>) => Problems<NoInfer<K>>
  /** The field that each reason of a server error belongs to. */
  reasons?: Record<string, NoInfer<K>>
  submit: (values: Values<NoInfer<K>>) => Promise<void>
  /** Before the problems are shown: a field that appears now can get the focus. */
  failed?: (error: unknown) => void
}

/** A form of text fields: validated when a field loses the focus and on submit, and sent once at a time. */
export function useForm<K extends string>(options: FormOptions<K>) {
  const [values, setValues] = useState(options.initial)
  const [problems, setProblems] = useState<Problems<K>>({})
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  // `busy` changes with the next render; a double click is faster.
  const sending = useRef(false)
  const ready = useHydrated()
  // Text typed before hydration would be overwritten by the next render.
  const adopt = useCallback((form: HTMLFormElement | null) => {
    if (form) setValues((before) => withTyped(form, before))
  }, [])

  const change = (name: K, value: string) => {
    setValues((before) => ({ ...before, [name]: value }))
    setProblems((before) => ({ ...before, [name]: undefined }))
    setProblem('')
  }

  const showProblems = (form: HTMLFormElement, fields: Problems<K>, message = '') => {
    setProblems(fields)
    setProblem(message)
    focusFirst(form, fields)
  }

  const send = async (form: HTMLFormElement) => {
    const fields = findProblems(options, values)
    if (Object.keys(fields).length > 0) return showProblems(form, fields)
    try {
      await options.submit(values)
      setProblem('')
    } catch (error) {
      const { fields, message } = explain(options, error)
      options.failed?.(error)
      showProblems(form, fields, message)
    }
  }

  const sendOnce = async (form: HTMLFormElement) => {
    if (sending.current) return
    sending.current = true
    setBusy(true)
    await send(form)
    sending.current = false
    setBusy(false)
  }

  return {
    values,
    problem,
    busy,
    /** Before hydration a click would submit the form natively. */
    ready,
    change,
    field: (name: K) => ({
      name,
      value: values[name],
      error: problems[name],
      onChange: (value: string) => change(name, value),
      onBlur: () => {
        // Leaving an empty field is no error before the form is submitted.
        if (values[name] !== '') setProblems((before) => ({ ...before, [name]: findProblems(options, values)[name] }))
      },
    }),
    /** Props of the form element. */
    frame: {
      ref: adopt,
      // Should the browser submit natively, no field may end up in the address.
      method: 'post',
      noValidate: true,
      onSubmit: (event: FormEvent<HTMLFormElement>) => {
        event.preventDefault()
        void sendOnce(event.currentTarget)
      },
    },
  }
}

/** The first problem of each field. */
export function findProblems<K extends string>(
  { initial, schema, required, check }: Pick<FormOptions<K>, 'initial' | 'schema' | 'required' | 'check'>,
  values: Values<K>,
): Problems<K> {
  const names = Object.keys(initial) as K[]
  const issues = z.safeParse(schema, values).error?.issues ?? []
  const checked: Problems<K> = check?.(values) ?? {}
  const problems: Problems<K> = {}
  for (const name of names) {
    const missing = values[name].trim() === '' ? required?.[name] : undefined
    const problem = missing ?? issues.find(({ path }) => path[0] === name)?.message ?? checked[name]
    if (problem !== undefined) problems[name] = problem
  }
  return problems
}

function explain<K extends string>(
  { initial, reasons }: FormOptions<K>,
  error: unknown,
): { fields: Problems<K>; message: string } {
  if (!(error instanceof ApiError)) return { fields: {}, message: '出错了，请稍后重试' }
  const fields: Problems<K> = {}
  for (const { field, message } of error.details) {
    if (isName(initial, field)) fields[field] = message
  }
  const field = reasons?.[error.reason]
  if (field !== undefined) fields[field] ??= error.message
  return { fields, message: Object.keys(fields).length > 0 ? '' : error.message }
}

function isName<K extends string>(values: Values<K>, name: string): name is K {
  return Object.hasOwn(values, name)
}

function withTyped<K extends string>(form: HTMLFormElement, values: Values<K>): Values<K> {
  const typed = textControls(form).filter(({ name, value }) => isName(values, name) && values[name] !== value)
  return typed.length === 0
    ? values
    : { ...values, ...Object.fromEntries(typed.map(({ name, value }) => [name, value])) }
}

function textControls(form: HTMLFormElement) {
  return [...form.elements].filter(
    (element) => element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement,
  )
}

function focusFirst<K extends string>(form: HTMLFormElement, problems: Problems<K>): void {
  const wrong = new Set(Object.entries(problems).flatMap(([name, text]) => (text ? [name] : [])))
  textControls(form)
    .find(({ name }) => wrong.has(name))
    ?.focus()
}
