import { Alert } from 'antd'
import { Link } from 'react-router'
import type { SpiderBlock } from '#shared/contract/spider.ts'

/** Above a list: why nothing of it moves at the moment. */
export function Blocked({ reply: { block } }: { reply: { block: SpiderBlock } }) {
  if (block === 'off')
    return (
      <Alert
        type="warning"
        showIcon
        title="采集没有启用，等待的内容不会处理，定时也不会运行"
        action={<Link to="/admin/config/spider">去启用</Link>}
      />
    )
  if (block === 'day_full')
    return (
      <Alert
        type="info"
        showIcon
        title="今天的下载量已经达到上限，明天继续"
        action={<Link to="/admin/config/spider">修改上限</Link>}
      />
    )
  return null
}
