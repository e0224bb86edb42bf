import { Button, Descriptions, Flex, Modal, Typography } from 'antd'
import { useState } from 'react'
import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { formatTime } from '#shared/format.ts'
import { CardContent } from '#web/admin/dashboard/dashboard-card.tsx'
import styles from '#web/admin/dashboard/dashboard.module.css'
import { api } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'

type Stats = Reply<typeof contract.stats.get>

/** The running version, its system and its licence. */
export function About({ stats: { version, hash, build_at, os } }: { stats: Stats }) {
  const items = [
    { key: 'version', label: '版本', children: version },
    { key: 'hash', label: '提交', children: <span title={hash}>{hash.slice(0, 10)}</span> },
    { key: 'build', label: '构建时间', children: build_at && formatTime(build_at) },
    { key: 'os', label: '操作系统', children: os },
    { key: 'api', label: '接口文档', children: <a href="/api/docs">/api/docs</a> },
    { key: 'license', label: '许可证', children: <Licence /> },
  ]
  const missing = new Set([...(hash ? [] : ['hash']), ...(build_at ? [] : ['build'])])
  return (
    <Descriptions
      size="small"
      column={1}
      styles={{ label: { color: 'var(--muted)' } }}
      items={items.filter(({ key }) => !missing.has(key))}
    />
  )
}

function Licence() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Flex align="center" gap={8} wrap>
        AGPL-3.0-or-later
        <Button type="link" size="small" onClick={() => setOpen(true)}>
          查看全文
        </Button>
      </Flex>
      <Modal title="许可证" open={open} onCancel={() => setOpen(false)} footer={null} width={760} destroyOnHidden>
        <LicenceText />
      </Modal>
    </>
  )
}

function LicenceText() {
  const query = useQuery('license', () => api(contract.machine.license))
  return (
    <CardContent query={query} rows={10}>
      {({ title, text }) => (
        <>
          <Typography.Paragraph strong>{title}</Typography.Paragraph>
          <textarea className={styles.plainText} rows={24} readOnly aria-label="许可证全文" value={text} />
        </>
      )}
    </CardContent>
  )
}
