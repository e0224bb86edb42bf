import { readMatrix, writeMatrix } from '../matrix.ts'
import { shortNumber } from '../numbers.ts'
import type { SafeAttribute } from '../sanitize/safe-element.ts'

/** The value in its shortest form; ids that it refers to are renamed. */
export function shortValue({ kind, value }: SafeAttribute, rename: (id: string) => string): string {
  switch (kind) {
    case 'numbers':
      return value.includes('%') ? value : shortNumbers(value)
    case 'transform':
      return shortTransform(value)
    case 'paint':
    case 'reference':
      // "url(#" and ")"
      if (value.startsWith('url')) return `url(#${rename(value.slice(5, -1))})`
      return value.replace(/^#(.)\1(.)\2(.)\3$/, '#$1$2$3')
    case 'link':
      return `#${rename(value)}`
    case 'id':
      return rename(value)
    default:
      return value
  }
}

function shortNumbers(value: string): string {
  const numbers = value.split(/[\s,]+/)
  return numbers.map((n) => shortNumber(Number(n), 4)).join(' ')
}

/** Transforms other than a matrix are left as they are. */
function shortTransform(value: string): string {
  const matrix = readMatrix(Buffer.from(value, 'latin1'), 0, value.length)
  return matrix ? writeMatrix(matrix) : value
}
