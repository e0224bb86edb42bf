import katex from 'katex'

/** Renders the formulas as MathML, which browsers display and read out natively. */
export function drawFormulas(text: HTMLElement): void {
  for (const element of text.querySelectorAll<HTMLElement>('[data-latex]')) {
    const latex = element.dataset['latex'] ?? ''
    if (latex === '' || element.querySelector('math')) continue
    katex.render(latex, element, {
      output: 'mathml',
      displayMode: element.dataset['type'] === 'block-math',
      throwOnError: false,
      errorColor: 'var(--danger)',
      trust: false,
      strict: false,
      maxSize: 20,
      maxExpand: 500,
    })
  }
}
