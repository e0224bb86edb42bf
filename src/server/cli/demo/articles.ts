/** Articles of the demo members, as the editor produces them. All texts are our own. */

export interface DemoArticle {
  title: string
  author: string
  /** A category's path, root first. */
  category: readonly [string, string]
  keywords: string
  content: string
  recommended?: true
}

export const demoArticleCategories: Record<string, { description: string; children: readonly string[] }> = {
  随笔: { description: '做事时想到的', children: ['技术', '教学'] },
  生活: { description: '吃的、种的、走过的', children: ['阳台', '路上'] },
}

export const demoArticles: readonly DemoArticle[] = [
  {
    title: '为什么慢的总是第一次',
    author: '周以宁',
    category: ['随笔', '技术'],
    keywords: '缓存,性能,测量',
    recommended: true,
    content: [
      '<p>同一个页面，第一次打开要一秒，第二次只要二十毫秒。很多人看到第二个数字就放心了，可是对每一位访客来说，他打开的都是第一次。</p>',
      '<h2>先量，再改</h2>',
      '<p>量的时候要把第一次单独记下来。下面这个函数把第一次和之后的中位数分开，写在一起只要十行：</p>',
      '<pre><code class="language-typescript">async function measure(work: () =&gt; Promise&lt;void&gt;, rounds = 20) {\n  const times: number[] = []\n  for (let round = 0; round &lt;= rounds; round++) {\n    const begun = performance.now()\n    await work()\n    times.push(performance.now() - begun)\n  }\n  const [first = 0, ...later] = times\n  const sorted = later.toSorted((a, b) =&gt; a - b)\n  return { first, usual: sorted[Math.floor(sorted.length / 2)] ?? 0 }\n}</code></pre>',
      '<h2>时间去了哪里</h2>',
      '<table><tbody><tr><th><p>步骤</p></th><th><p>第一次（毫秒）</p></th><th><p>之后（毫秒）</p></th></tr><tr><td><p>读取模板</p></td><td style="text-align: right"><p>310</p></td><td style="text-align: right"><p>0</p></td></tr><tr><td><p>查询数据</p></td><td style="text-align: right"><p>420</p></td><td style="text-align: right"><p>12</p></td></tr><tr><td><p>生成页面</p></td><td style="text-align: right"><p>190</p></td><td style="text-align: right"><p>8</p></td></tr></tbody></table>',
      '<p>三步都可以提前做：模板在启动时读，数据在更新后算好，页面存一份旧的先给人看。</p>',
      '<blockquote><p>快不是让机器跑得更快，而是让人不必等它跑完。</p></blockquote>',
    ].join(''),
  },
  {
    title: '命中率该怎么看',
    author: '周以宁',
    category: ['随笔', '技术'],
    keywords: '缓存,命中率,公式',
    content: [
      '<p>缓存的命中率写成 <span data-type="inline-math" data-latex="h"></span>，命中时花费 <span data-type="inline-math" data-latex="t_c"></span>，不命中时花费 <span data-type="inline-math" data-latex="t_m"></span>，平均要等的时间就是：</p>',
      '<div data-type="block-math" data-latex="T = h \\, t_c + (1 - h) \\, t_m"></div>',
      '<p>从 <span data-type="inline-math" data-latex="h = 0.90"></span> 提高到 <span data-type="inline-math" data-latex="0.95"></span>，听起来只多了五个百分点，等待却几乎少了一半，因为决定等待的是 <span data-type="inline-math" data-latex="1 - h"></span>。</p>',
      '<p>所以看报表的时候，请看没有命中的那一份。</p>',
    ].join(''),
  },
  {
    title: '让学生自己出一道题',
    author: '林晚舟',
    category: ['随笔', '教学'],
    keywords: '数学,课堂,出题',
    recommended: true,
    content: [
      '<p>讲完相遇问题，我请每个孩子出一道题，要求只有三条：</p>',
      '<ol><li><p>数字是自己量出来的，不能随便写；</p></li><li><p>同桌能读懂；</p></li><li><p>自己会做。</p></li></ol>',
      '<p>收上来的题里有一道写道：“从我家到奶奶家一千二百米，我每分钟走六十米，奶奶每分钟走四十米，我们同时出门，几分钟以后可以一起吃冰棍？”</p>',
      '<p>列出来是 <span data-type="inline-math" data-latex="1200 \\div (60 + 40) = 12"></span>。全班都会做，因为大家都想知道什么时候可以吃冰棍。</p>',
      '<h3>下一次</h3>',
      '<ul data-type="taskList"><li data-type="taskItem" data-checked="true"><div><p>把题目印成一页，署上名字</p></div></li><li data-type="taskItem" data-checked="false"><div><p>请四年级二班来做</p></div></li><li data-type="taskItem" data-checked="false"><div><p>收集做错的原因</p></div></li></ul>',
    ].join(''),
  },
  {
    title: '阳台上的四月',
    author: '何青禾',
    category: ['生活', '阳台'],
    keywords: '种菜,阳台,四月',
    content: [
      '<p>四月的阳台一天一个样子。生菜可以掰外面的叶子了，掰的时候留下心，它还会再长两轮。</p>',
      '<table><tbody><tr><th><p>种什么</p></th><th><p>播种</p></th><th><p>可以吃</p></th></tr><tr><td><p>小白菜</p></td><td><p>三月底</p></td><td><p>四月底</p></td></tr><tr><td><p>生菜</p></td><td><p>二月底</p></td><td><p>四月</p></td></tr><tr><td><p>番茄</p></td><td><p>三月初育苗</p></td><td><p>六月</p></td></tr></tbody></table>',
      '<p>番茄苗长到二十厘米再移到大箱子里，移完那天<strong>不要晒</strong>，傍晚浇一次透水。</p>',
    ].join(''),
  },
  {
    title: '下雨天走步道要带什么',
    author: '许知行',
    category: ['生活', '路上'],
    keywords: '徒步,雨天,装备',
    content: [
      '<p>雨不大的时候，河边的路反而比晴天好走：没有人，也不晒。</p>',
      '<ul><li><p>一件能透气的雨衣，比伞有用；</p></li><li><p>两双袜子，一双穿着，一双放在塑料袋里；</p></li><li><p>手机放在胸前的口袋，<em>不要</em>放在背包外侧。</p></li></ul>',
      '<p>过了渡口如果水已经漫上第三级石阶，就请往回走。路线和里程写在文库的<a href="/search?wd=河岸步道指南">《河岸步道指南》</a>里。</p>',
    ].join(''),
  },
]
