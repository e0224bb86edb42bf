import katex from 'katex'

/** Draws the formulas as MathML, which browsers show and read out by themselves. */
export function drawFormulas(text: HTMLElement): void {
  for (const place of text.querySelectorAll<HTMLElement>('[data-latex]')) {
    const latex = place.dataset['latex'] ?? ''
    if (latex === '' || place.querySelector('math')) continue
    katex.render(latex, place, {
      output: 'mathml',
      displayMode: place.dataset['type'] === 'block-math',
      throwOnError: false,
      errorColor: 'var(--danger)',
      trust: false,
      strict: false,
      maxSize: 20,
      maxExpand: 500,
    })
  }
}
