import { useCallback, useRef, useState, type FormEvent } from 'react'
import * as z from 'zod/mini'
import { ApiError } from '#shared/errors.ts'
import { useHydrated } from '#web/lib/hydrated.ts'

type Values<K extends string> = Record<K, string>
type Problems<K extends string> = Partial<Record<K, string>>

interface FormOptions<K extends string> {
  initial: Values<K>
  /** Usually the input of the endpoint that takes the form. */
  schema: z.ZodMiniObject
  /** What to say when a field is empty; only these must be filled in. */
  required?: Problems<NoInfer<K>>
  /** What the schema cannot see, such as two fields that must be equal. */
  check?: (values: Values<NoInfer<K>>) => Problems<NoInfer<K>>
  /** Errors of the server that belong to a field, by their reason. */
  reasons?: Record<string, NoInfer<K>>
  submit: (values: Values<NoInfer<K>>) => Promise<void>
  failed?: () => void
}

/** A form of text fields: problems appear on leaving a field and on submitting, and sending happens once at a time. */
export function useForm<K extends string>(options: FormOptions<K>) {
  const [values, setValues] = useState(options.initial)
  const [problems, setProblems] = useState<Problems<K>>({})
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  // State arrives with the next render; a double click is faster.
  const sending = useRef(false)
  const ready = useHydrated()
  // What was typed before the scripts came would be overwritten by the next render.
  const adopt = useCallback((form: HTMLFormElement | null) => {
    if (form) setValues((before) => withTyped(form, before))
  }, [])

  const change = (name: K, value: string) => {
    setValues((before) => ({ ...before, [name]: value }))
    setProblems((before) => ({ ...before, [name]: undefined }))
    setProblem('')
  }

  const refuse = (form: HTMLFormElement, found: Problems<K>, message = '') => {
    setProblems(found)
    setProblem(message)
    focusFirst(form, found)
  }

  const send = async (form: HTMLFormElement) => {
    const found = problemsOf(options, values)
    if (Object.keys(found).length > 0) return refuse(form, found)
    try {
      await options.submit(values)
      setProblem('')
    } catch (error) {
      const { fields, message } = explain(options, error)
      options.failed?.()
      refuse(form, fields, message)
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
    /** Before this, a click would send the page and not the form. */
    ready,
    change,
    field: (name: K) => ({
      name,
      value: values[name],
      error: problems[name],
      onChange: (value: string) => change(name, value),
      onBlur: () => {
        // Passing through an empty field is no mistake yet.
        if (values[name] !== '') setProblems((before) => ({ ...before, [name]: problemsOf(options, values)[name] }))
      },
    }),
    /** For the form element. */
    frame: {
      ref: adopt,
      // Should the browser send it by itself, nothing of it may land in the address.
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
export function problemsOf<K extends string>(
  { initial, schema, required, check }: Pick<FormOptions<K>, 'initial' | 'schema' | 'required' | 'check'>,
  values: Values<K>,
): Problems<K> {
  const names = Object.keys(initial) as K[]
  const issues = z.safeParse(schema, values).error?.issues ?? []
  const checked: Problems<K> = check?.(values) ?? {}
  const problems: Problems<K> = {}
  for (const name of names) {
    const missing = values[name].trim() === '' ? required?.[name] : undefined
    const found = missing ?? issues.find(({ path }) => path[0] === name)?.message ?? checked[name]
    if (found !== undefined) problems[name] = found
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
  const blamed = reasons?.[error.reason]
  if (blamed !== undefined) fields[blamed] ??= error.message
  return { fields, message: Object.keys(fields).length > 0 ? '' : error.message }
}

function isName<K extends string>(values: Values<K>, name: string): name is K {
  return Object.hasOwn(values, name)
}

function withTyped<K extends string>(form: HTMLFormElement, values: Values<K>): Values<K> {
  const typed = textsOf(form).filter(({ name, value }) => isName(values, name) && values[name] !== value)
  return typed.length === 0
    ? values
    : { ...values, ...Object.fromEntries(typed.map(({ name, value }) => [name, value])) }
}

function textsOf(form: HTMLFormElement) {
  return [...form.elements].filter(
    (element) => element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement,
  )
}

function focusFirst<K extends string>(form: HTMLFormElement, problems: Problems<K>): void {
  const wrong = new Set(Object.entries(problems).flatMap(([name, text]) => (text ? [name] : [])))
  textsOf(form)
    .find(({ name }) => wrong.has(name))
    ?.focus()
}
