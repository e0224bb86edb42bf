/**
 * Declares an enumeration of the wire: the name in code, the number on the wire, the label for users. Returns the numbers
 * by name and the labels by number.
 */
export function declareCodes<const D extends Declaration>(declaration: D): [codes: CodesOf<D>, labels: LabelsOf<D>] {
  const entries = Object.entries(declaration)
  const codes = Object.fromEntries(entries.map(([name, [code]]) => [name, code]))
  const labels = Object.fromEntries(entries.map(([, [code, label]]) => [code, label]))
  labelsByCodes.set(codes, labels)
  return [codes as CodesOf<D>, labels as LabelsOf<D>]
}

const labelsByCodes = new WeakMap<object, Record<string, string>>()

/** The labels that an enumeration was declared with. */
export function labelsOf(codes: object): Record<string, string> {
  return labelsByCodes.get(codes) ?? {}
}

/** The numbers of an enumeration as a type: `export type ReviewStatus = CodeOf<typeof ReviewStatus>`. */
export type CodeOf<C> = C[keyof C]

/** Every number of an enumeration, smallest first. */
export function allCodes<C extends Record<string, number>>(codes: C): CodeOf<C>[] {
  return (Object.values(codes) as CodeOf<C>[]).toSorted((a, b) => a - b)
}

type Declaration = Record<string, readonly [code: number, label: string]>
type CodesOf<D extends Declaration> = { readonly [K in keyof D]: D[K][0] }
type LabelsOf<D extends Declaration> = { readonly [K in keyof D as D[K][0]]: string }
