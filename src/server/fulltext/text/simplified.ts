import table from 'opencc-js/dict/TSCharacters'

const simplifiedForms = new Map(
  table.split('|').map((pair) => {
    const traditional = firstCharacter(pair)
    return [traditional, firstCharacter(pair.slice(traditional.length + 1))]
  }),
)

/** The simplified form of a traditional character; other characters unchanged. Some take two steps: 薴, 苧, 苎. */
export function toSimplified(character: string): string {
  const once = simplifiedForms.get(character) || character
  return simplifiedForms.get(once) || once
}

function firstCharacter(text: string): string {
  return text ? String.fromCodePoint(text.codePointAt(0) ?? 0) : ''
}
