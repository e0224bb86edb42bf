/**
 * The fontconfig file: substitutes for fonts that Chinese documents name and servers lack. Without them every Chinese run
 * goes through glyph fallback, ten times slower and often in the wrong typeface.
 */
export function fontconfigXml(): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
<dir>/usr/share/fonts</dir>
<dir>/usr/local/share/fonts</dir>
<cachedir prefix="xdg">cache</cachedir>
<include ignore_missing="yes">/etc/fonts/conf.d</include>
${substitutes.flatMap(({ family, names }) => names.split(' ').map((name) => substitutionRule(name.replaceAll('+', ' '), family))).join('\n')}
</fontconfig>
`
}

function substitutionRule(name: string, family: string): string {
  return `<match target="pattern"><test name="family" compare="eq" ignore-blanks="true"><string>${name}</string></test><edit name="family" mode="prepend" binding="strong"><string>${family}</string></edit></match>`
}

/** Names are separated by spaces; a plus stands for a space within a name. */
const substitutes = [
  {
    family: 'Noto Serif CJK SC',
    names:
      '宋体 SimSun NSimSun 新宋体 SimSun-ExtB 仿宋 FangSong 仿宋_GB2312 FangSong_GB2312 楷体 KaiTi 楷体_GB2312 KaiTi_GB2312 方正小标宋 方正小标宋简体 方正小标宋_GBK FZXiaoBiaoSong-B05 FZXiaoBiaoSong-B05S 方正书宋简体 方正书宋_GBK 方正仿宋简体 方正仿宋_GBK 方正楷体简体 方正楷体_GBK STSong 华文宋体 华文中宋 STZhongsong 华文仿宋 STFangsong 华文楷体 STKaiti 隶书 LiSu 华文隶书 STLiti 华文行楷 STXingkai 华文新魏 STXinwei 思源宋体 思源宋体+CN Source+Han+Serif+SC Source+Han+Serif+CN Songti+SC 宋体-简 Kaiti+SC 楷体-简',
  },
  {
    family: 'Noto Sans CJK SC',
    names:
      '黑体 SimHei 微软雅黑 Microsoft+YaHei Microsoft+YaHei+UI 微软雅黑+Light Microsoft+YaHei+Light 等线 DengXian 等线+Light DengXian+Light 华文细黑 STXihei 华文黑体 STHeiti 方正黑体简体 方正黑体_GBK 方正兰亭黑简体 幼圆 YouYuan 苹方-简 PingFang+SC Heiti+SC 冬青黑体简体中文 Hiragino+Sans+GB 思源黑体 思源黑体+CN Source+Han+Sans+SC Source+Han+Sans+CN HarmonyOS+Sans+SC 阿里巴巴普惠体 MiSans',
  },
  { family: 'Noto Serif CJK TC', names: 'PMingLiU MingLiU 新細明體 細明體 標楷體 DFKai-SB MingLiU_HKSCS Songti+TC' },
  { family: 'Noto Sans CJK TC', names: '微軟正黑體 Microsoft+JhengHei Microsoft+JhengHei+UI PingFang+TC Heiti+TC' },
  { family: 'Noto Serif CJK JP', names: 'MS+Mincho MS+PMincho ＭＳ+明朝 ＭＳ+Ｐ明朝 Yu+Mincho 游明朝' },
  {
    family: 'Noto Sans CJK JP',
    names: 'MS+Gothic MS+PGothic ＭＳ+ゴシック ＭＳ+Ｐゴシック Meiryo メイリオ Yu+Gothic 游ゴシック',
  },
  { family: 'Noto Serif CJK KR', names: 'Batang BatangChe 바탕 바탕체 Gungsuh' },
  { family: 'Noto Sans CJK KR', names: 'Malgun+Gothic 맑은+고딕 Gulim GulimChe 굴림 Dotum DotumChe 돋움' },
]
