import { describe, expect, test } from 'vitest'
import { blockText, inlineText, type Block } from '#shared/reflow.ts'
import type { Line, OutlineEntry, PageLines } from '#server/convert/converter.ts'
import { reflowPages } from './reflow-pages.ts'

/** Lines of 10 points, 12 points apart, from the top of a page of 400 by 600. */
function page(number: number, ...lines: (string | [x: number, text: string, height?: number])[]): PageLines {
  return {
    page: number,
    width: 400,
    height: 600,
    lines: lines.flatMap((line, index): Line[] => {
      const [x, text, height = 10] = typeof line === 'string' ? [50, line] : line
      return text === '' ? [] : [at(x, 100 + 12 * index, text, height)]
    }),
  }
}

function at(x: number, y: number, text: string, height = 10): Line {
  return [x, y, widthOf(text, height), height, text]
}

function widthOf(text: string, em: number): number {
  return Array.from(text).reduce((sum, letter) => sum + (letter > '\u2e80' ? em : em / 2), 0)
}

function reflow(pages: PageLines[], outline: OutlineEntry[] = []): string[][] {
  return reflowPages(pages, { outline, isSetHere: false }).map(({ blocks }) => blocks.map(describeBlock))
}

function describeBlock(block: Block): string {
  if (block.kind === 'table') return block.rows.map((cells) => cells.map(inlineText).join(' | ')).join(' / ')
  const name =
    block.kind === 'heading' ? `h${block.level} ` : block.kind === 'item' ? `${block.marker}${block.depth} ` : ''
  return name + (block.kind === 'paragraph' && block.joined !== undefined ? '… ' : '') + blockText(block)
}

describe('paragraphs', () => {
  test('Chinese lines are joined without blanks, and an indented line begins the next paragraph', () => {
    const lines = [
      [70, '系统采用异步转换流水线将原始文件统一转换为便携式文'] as [number, string],
      '档格式再逐页生成矢量图形从而在浏览器中实现清晰快速',
      [70, '安全性方面转换进程运行在隔离的沙箱之中禁止访问外部'] as [number, string],
      '网络。',
    ]
    expect(reflow([page(1, ...lines)])).toEqual([
      [
        '系统采用异步转换流水线将原始文件统一转换为便携式文档格式再逐页生成矢量图形从而在浏览器中实现清晰快速',
        '安全性方面转换进程运行在隔离的沙箱之中禁止访问外部网络。',
      ],
    ])
  })

  test('English lines are joined by blanks, and divided words become whole', () => {
    const lines = [
      'poly-crystalline silicon, thin film cells such as amor-',
      'phous silicon, and the group of multi-junction and poly-',
      'crystalline cells, which are responsive to the longer of',
      'the wavelengths.',
    ]
    expect(reflow([page(1, ...lines)])[0]).toEqual([
      'poly-crystalline silicon, thin film cells such as amorphous silicon, and the group of multi-junction and poly-crystalline cells, which are responsive to the longer of the wavelengths.',
    ])
  })

  test('a line that ends early ends its paragraph, and so does a gap', () => {
    const lines = [
      '一条很长很长的文字占满整行的宽度用来比较。',
      '短行。',
      '另一段的文字也占满整行的宽度用来比较一下',
      '',
      '隔开的一段',
    ]
    expect(reflow([page(1, ...lines)])[0]).toEqual([
      '一条很长很长的文字占满整行的宽度用来比较。短行。',
      '另一段的文字也占满整行的宽度用来比较一下',
      '隔开的一段',
    ])
  })

  test('a ragged line is no end where the next word had no room', () => {
    const lines = [
      'All are equal before the law and are entitled to',
      'the protection of it, without any',
      'discrimination whatsoever in every single case.',
    ]
    expect(reflow([page(1, ...lines)])[0]).toHaveLength(1)
  })

  test('a paragraph goes on over the end of the page', () => {
    const first = page(1, '这一页最后的段落写满了整整一行文字没有句号')
    const second = page(2, '于是在下一页继续直到结束。', [70, '新的一段从这里开始而且也很长很长很长很长'])
    expect(reflow([first, second])[1]).toEqual([
      '… 于是在下一页继续直到结束。',
      '新的一段从这里开始而且也很长很长很长很长',
    ])
    const ended = page(1, '这一页最后的段落写满了整整一行文字有了句号。')
    expect(reflow([ended, second])[1]?.[0]).toBe('于是在下一页继续直到结束。')
  })
})

describe('headings', () => {
  test('larger lines are headings, by their size', () => {
    const lines: Parameters<typeof page>[1][] = [
      [50, '第一章', 18],
      '',
      '正文从这里开始一直写到行末一直写到行末。',
      '',
      '',
      [50, '第一节', 14],
      '',
      '正文。',
    ]
    expect(reflow([page(1, ...lines)])[0]).toEqual([
      'h1 第一章',
      '正文从这里开始一直写到行末一直写到行末。',
      'h2 第一节',
      '正文。',
    ])
  })

  test('a title of the outline is a heading whatever its size', () => {
    const lines = ['第二章 概览', '正文从这里开始一直写到行末一直写到行末。']
    expect(reflow([page(1, ...lines)], [{ title: '第二章概览', page: 1, level: 1 }])[0]?.[0]).toBe('h2 第二章 概览')
    expect(reflow([page(1, ...lines)], [{ title: '第二章概览', page: 9, level: 1 }])[0]?.[0]).not.toMatch(/^h/)
  })

  test('a symbol that makes a line of prose higher makes no heading', () => {
    expect(
      reflow([
        page(1, 'the current and the', [50, 'efficiency η of the cells', 12.5], 'were extracted from it.'),
      ])[0]?.join(),
    ).not.toMatch(/h\d/)
  })
})

describe('reading order', () => {
  const left = ['左栏第一行的文字左栏第一行的文', '左栏第二行的文字左栏第二行的文', '左栏最后一行的文字到这里没有完']
  const right = ['右栏接着写下去右栏接着写下去右', '右栏第二行的文字右栏第二行的文', '右栏的文字结束了。']
  const expected = [left.join('') + right.join('')]

  test.each([
    ['one column after the other', (l: Line[], r: Line[]) => [...l, ...r]],
    ['the right column first', (l: Line[], r: Line[]) => [...r, ...l]],
    [
      'both columns line by line',
      (l: Line[], r: Line[]) => l.flatMap((line, index) => [line, ...r.slice(index, index + 1)]),
    ],
  ])('columns are read one after the other when the file has %s', (_, mix) => {
    const lines = mix(
      left.map((text, index) => at(20, 100 + 12 * index, text)),
      right.map((text, index) => at(220, 100 + 12 * index, text)),
    )
    expect(reflow([{ page: 1, width: 400, height: 600, lines }])).toEqual([expected])
  })

  test('a title that the file has last comes first', () => {
    const lines = [at(50, 200, '正文'), at(50, 100, '标题在上面')]
    expect(reflow([{ page: 1, width: 400, height: 600, lines }])[0]).toEqual(['标题在上面', '正文'])
  })
})

describe('heads and feet', () => {
  const body = (number: number) => at(50, 300, `第 ${number} 页的正文各不相同`)
  const pages = (...edges: ((number: number) => Line)[]) =>
    [1, 2, 3, 4].map((number): PageLines => ({
      page: number,
      width: 400,
      height: 600,
      lines: [...edges.map((edge) => edge(number)), body(number)],
    }))

  test('what is repeated at the edges of pages is left out, and so are page numbers', () => {
    const head = () => at(50, 20, '年度报告')
    const section = (number: number) => at(300, 20, `第 ${number} 节 名称`)
    const foot = (number: number) => at(190, 580, `- ${number} -`)
    for (const blocks of reflow(pages(head, section, foot))) expect(blocks).toEqual([expect.stringContaining('正文')])
  })

  test.each(['12', '第 3 页', '3 / 90', 'Page 4 of 9', 'xii', '— 7 —', '第 3 页 共 9 页'])(
    '%s is a page number',
    (text) => {
      expect(
        reflow([page(1, '正文'), { page: 2, width: 400, height: 600, lines: [at(190, 580, text), body(2)] }])[1],
      ).toHaveLength(1)
    },
  )

  test('what stands at an edge once stays', () => {
    const lines = [at(50, 20, '致读者'), body(1)]
    expect(reflow([{ page: 1, width: 400, height: 600, lines }])[0]).toContain('致读者')
  })

  test('the titles of slides stay, though every slide has one at the same place', () => {
    expect(reflow(pages(() => at(50, 20, '目标', 16)))[3]).toContain('h1 目标')
  })
})

describe('lists and tables', () => {
  test('items keep their marks, and lists within lists are deeper', () => {
    const lines: Parameters<typeof page>[1][] = [
      '有这几类角色：',
      [60, '• 上游作者，也就是程序原来的作者，以及'],
      [70, '现在的维护者'],
      [60, '• 导师'],
      [80, '– 任何人'],
      [60, '• 赞助者'],
      '以上。',
    ]
    expect(reflow([page(1, ...lines)])[0]).toEqual([
      '有这几类角色：',
      '•0 上游作者，也就是程序原来的作者，以及现在的维护者',
      '•0 导师',
      '–1 任何人',
      '•0 赞助者',
      '以上。',
    ])
  })

  test('rows with wide gaps are a table', () => {
    const row = (y: number, ...cells: string[]) =>
      cells.flatMap((text, index) => (text ? [at(50 + 100 * index, y, text)] : []))
    const lines = [
      ...row(100, '日期', '版本', '说明'),
      ...row(112, '二月', '一', '建立'),
      ...row(124, '三月', '', '修改'),
    ]
    expect(reflow([{ page: 1, width: 400, height: 600, lines }])[0]).toEqual([
      '日期 | 版本 | 说明 / 二月 | 一 | 建立 / 三月 |  | 修改',
    ])
  })
})

describe('code', () => {
  /** A line whose letters are all 6 points wide, in runs as the text layer divides it. */
  const typed = (x: number, y: number, text: string): Line => {
    const runs: number[] = []
    let gap = 0
    for (const part of text.split(/( +|[a-zA-Z]{1,4}|[^a-zA-Z ])/).filter((piece) => piece !== '')) {
      if (part.startsWith(' ')) gap = 60 * part.length
      else {
        runs.push(part.length, gap, 60 * part.length)
        gap = 0
      }
    }
    const squeezed = text.replace(/ +/g, ' ')
    return runs.length > 9 ? [x, y, 6 * text.length, 8, squeezed, runs] : [x, y, 6 * text.length, 8, squeezed]
  }
  const prose = (y: number) => at(50, y, '这一段正文说明下面的程序做了什么事情而且足够长')
  const page = (lines: Line[]) => ({ page: 1, width: 400, height: 600, lines })

  test('keeps its lines, its indents, the blanks within them and its empty lines', () => {
    const lines = [
      prose(100),
      typed(60, 130, 'for (int i = 0; i < n; i++) {'),
      typed(84, 142, 'total += item[i];   // the sum'),
      typed(60, 154, '}'),
      typed(60, 178, 'printf("%d", total);'),
      prose(210),
    ]
    expect(reflow([page(lines)])[0]).toEqual([
      '这一段正文说明下面的程序做了什么事情而且足够长',
      'for (int i = 0; i < n; i++) {\n    total += item[i];   // the sum\n}\n\nprintf("%d", total);',
      '这一段正文说明下面的程序做了什么事情而且足够长',
    ])
    expect(reflowPages([page(lines)], { outline: [], isSetHere: false })[0]?.blocks[1]?.kind).toBe('code')
  })

  test('is no heading, though it is higher than the text around, and columns in it are no table', () => {
    const lines = [
      typed(60, 100, 'name      = "wendou"').toSpliced(3, 1, 14) as unknown as Line,
      typed(60, 116, 'version   = "1.0.0";').toSpliced(3, 1, 14) as unknown as Line,
      prose(150),
      prose(162),
      prose(174),
    ]
    expect(reflow([page(lines)])[0]?.[0]).toBe('name      = "wendou"\nversion   = "1.0.0";')
  })

  test('prose in a font whose Latin letters are equally wide stays prose', () => {
    const lines = [
      typed(50, 100, 'This will be a paragraph of some words that the author'),
      typed(50, 112, 'wrote in the font of the Chinese text around it, so it'),
      typed(50, 124, 'flows.'),
    ]
    expect(reflow([page(lines)])[0]).toEqual([
      'This will be a paragraph of some words that the author wrote in the font of the Chinese text around it, so it flows.',
    ])
  })
})

describe('heads of short chapters', () => {
  test('go, though nothing repeats them: they stand where the others do', () => {
    const pages = Array.from({ length: 6 }, (_, index) => ({
      page: index + 1,
      width: 400,
      height: 600,
      lines: [
        at(50, 30, index < 4 ? '第一章 漫长的旅行' : index === 4 ? '第二章 家' : '第三章 海'),
        at(50, 100, `这一页的正文各不相同因此不会被当成页眉${'一二三四五六'[index]}`),
      ],
    }))
    expect(reflow(pages).map((blocks) => blocks.length)).toEqual([1, 1, 1, 1, 1, 1])
  })
})

test('pages without text and lines without size are no problem', () => {
  const empty = { page: 1, width: 400, height: 600, lines: [] }
  expect(reflow([empty, { ...empty, page: 2, lines: [[0, 0, 0, 0, '无']] }])).toEqual([[], []])
})
