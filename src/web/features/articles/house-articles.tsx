import type { ReactNode } from 'react'

interface HouseArticle {
  title: string
  body: (sitename: string) => ReactNode
}

/** The pages that the footer leads to, until the owner writes their own as articles. */
export const houseArticles: Record<string, HouseArticle | undefined> = {
  about: {
    title: '关于我们',
    body: (sitename) => (
      <>
        <p>{sitename}是一个文库：在这里上传、阅读、搜索和下载文档，也可以发布文章。</p>
        <p>我们希望它像一间阅览室：找得到，读得下去，不打扰。</p>
      </>
    ),
  },
  contact: {
    title: '联系我们',
    body: () => (
      <>
        <p>对网站有疑问、建议，或者需要帮助，请通过网站公布的联系方式与管理员联系。</p>
        <p>来信请写明页面地址和遇到的情况，这样我们能更快地处理。</p>
      </>
    ),
  },
  agreement: {
    title: '用户协议',
    body: (sitename) => (
      <>
        <p>使用{sitename}即表示您同意以下约定。</p>
        <h2>账号</h2>
        <p>请妥善保管账号和密码。您对自己账号下的行为负责；发现被盗用时，请立即修改密码并联系我们。</p>
        <h2>内容</h2>
        <ul>
          <li>请只上传您有权分享的文档，不上传违法、侵权、泄露他人隐私或国家秘密的内容。</li>
          <li>上传后，您授权本站以在线预览、搜索和下载的方式展示该文档。您可以随时删除自己的文档。</li>
          <li>我们可以对违反约定的内容和账号进行处理。</li>
        </ul>
        <h2>变更</h2>
        <p>我们可能修改本协议。修改后继续使用本站，视为接受修改后的内容。</p>
      </>
    ),
  },
  copyright: {
    title: '免责声明',
    body: (sitename) => (
      <>
        <p>{sitename}的文档由用户上传，版权归原作者所有，其内容不代表本站的立场。</p>
        <p>如果您认为某份文档侵犯了您的权利，请提供权利证明和页面地址与我们联系，核实后我们会尽快删除。</p>
        <p>文档内容仅供参考。因使用文档内容产生的后果，由使用者自行承担。</p>
      </>
    ),
  },
  feedback: {
    title: '意见反馈',
    body: () => (
      <>
        <p>欢迎告诉我们哪里不好用、缺什么、哪里出了错。</p>
        <p>反馈问题时，请附上页面地址、出现的时间和看到的提示；如果提示里有编号，也请一并附上。</p>
      </>
    ),
  },
  help: {
    title: '使用帮助',
    body: () => (
      <>
        <h2>查找</h2>
        <p>在页面上方的搜索框中输入至少两个字，或者从分类开始浏览。</p>
        <h2>账号</h2>
        <p>注册后可以在个人中心修改资料和密码，查看登录过的设备并让它们退出。忘记密码时，可以在登录页用邮箱找回。</p>
        <h2>外观</h2>
        <p>页面支持浅色和深色，可以在页脚或手机导航中切换，默认跟随系统。</p>
      </>
    ),
  },
}
