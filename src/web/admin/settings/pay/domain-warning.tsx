import { Alert } from 'antd'
import { Link } from 'react-router'
import { findDomainProblem } from '#web/admin/settings/pay/domain-problem.ts'
import styles from '#web/admin/settings/settings.module.css'
import { useSite } from '#web/domain/site.ts'

/** Providers send their notices to the site's address. */
export function DomainWarning() {
  const problem = findDomainProblem(useSite().settings.system.domain)
  if (problem === undefined) return null
  const title = (
    <>
      {problem}{' '}
      <Link to="/admin/config/system#domain" className={styles.hintLink}>
        修改域名
      </Link>
    </>
  )
  return <Alert type="warning" showIcon title={title} className={styles.hint} />
}
