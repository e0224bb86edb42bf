import sanitize from 'sanitize-html'

/** Sanitizes HTML of the site owner: text, simple formatting, links and images; no scripts, styles or frames. */
export function safeHtml(html: string): string {
  return sanitize(html, {
    allowedTags: [
      'p',
      'br',
      'b',
      'strong',
      'i',
      'em',
      'u',
      's',
      'small',
      'span',
      'div',
      'a',
      'img',
      'ul',
      'ol',
      'li',
      'hr',
      'h1',
      'h2',
      'h3',
      'h4',
      'blockquote',
      'code',
      'pre',
    ],
    allowedAttributes: { a: ['href', 'target', 'rel', 'title'], img: ['src', 'alt', 'width', 'height'] },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowProtocolRelative: false,
    transformTags: { a: sanitize.simpleTransform('a', { rel: 'noopener noreferrer nofollow' }) },
  })
}
