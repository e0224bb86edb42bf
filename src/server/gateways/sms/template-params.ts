import { parseTemplateParam } from '#shared/sms-params.ts'
import type { SmsMessage } from './sms-driver.ts'

/** The variables of a template in its order, with their names there: `number=code` is the code in a variable `number`. */
export function templateParams(declared: readonly string[], { code, minutes }: SmsMessage): [string, string][] {
  const values = { code, minutes: String(minutes) }
  return declared.flatMap((entry): [string, string][] => {
    const param = parseTemplateParam(entry)
    return param ? [[param.name, values[param.value]]] : []
  })
}
