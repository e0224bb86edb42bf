import table from 'opencc-js/dict/TSCharacters'

const usual = new Map(table.split('|').map((pair) => [first(pair), first(pair.slice(first(pair).length + 1))]))

/** The simplified form of a traditional character; any other one as it is. Some take two steps: 薴, 苧, 苎. */
export function simplified(character: string): string {
  const once = usual.get(character) || character
  return usual.get(once) || once
}

function first(text: string): string {
  return text ? String.fromCodePoint(text.codePointAt(0) ?? 0) : ''
}
