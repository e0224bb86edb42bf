/** The colours that a site owner chooses from. Their neutral colours are in app.css; the accent may be replaced. */

export const palettes = {
  bamboo: { label: '青竹', accent: '#1f6f5c' },
  ink: { label: '墨蓝', accent: '#24508f' },
  cinnabar: { label: '朱砂', accent: '#a8352a' },
  tea: { label: '秋茶', accent: '#82540f' },
} as const

export type Palette = keyof typeof palettes

export const densities = { comfortable: '宽松', compact: '紧凑' } as const

export const defaultPalette: Palette = 'bamboo'

function isPalette(name: string): name is Palette {
  return Object.hasOwn(palettes, name)
}

/** The accent of a palette, unless the owner set a colour. */
export function accentOf(palette: string, themeColor: string): string {
  const { accent } = palettes[isPalette(palette) ? palette : defaultPalette]
  return themeColor === '' || themeColor === palettes[defaultPalette].accent ? accent : themeColor
}
