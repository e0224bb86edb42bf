import { useRef, useState, type FormEvent } from 'react'
import * as z from 'zod/mini'
import { ApiError } from '#shared/errors.ts'

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

  return {
    values,
    problem,
    busy,
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
    onSubmit: async (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault()
      if (sending.current) return
      sending.current = true
      setBusy(true)
      await send(event.currentTarget)
      sending.current = false
      setBusy(false)
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

function focusFirst<K extends string>(form: HTMLFormElement, problems: Problems<K>): void {
  const named = [...form.elements].filter(
    (element) => element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement,
  )
  const wrong = new Set(Object.entries(problems).flatMap(([name, text]) => (text ? [name] : [])))
  named.find(({ name }) => wrong.has(name))?.focus()
}
