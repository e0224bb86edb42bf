import { Flex, Segmented, Typography } from 'antd'
import { useSearchParams } from 'react-router'
import { DateRangePicker } from '#web/admin/controls/date-range-picker.tsx'
import { lastDays } from '#web/admin/resources/orders/income.ts'

/** The days of the statistics: the last ones, or from a first to a last; they live in the address. */
export interface Period {
  days?: number
  first?: string
  last?: string
}

const choices = [7, 30, 90]
const custom = 0

export function readPeriod(params: URLSearchParams): Period {
  const [first, last] = [params.get('first'), params.get('last')]
  if (first && last) return { first, last }
  const days = Number(params.get('days'))
  return { days: choices.includes(days) ? days : 30 }
}

export function PeriodPicker() {
  const [params, setParams] = useSearchParams()
  const { days = custom, first, last } = readPeriod(params)
  const choose = (from = '', to = '') => setParams({ first: from, last: to }, { replace: true })
  return (
    <Flex gap={12} wrap align="center">
      <Segmented
        aria-label="统计的时间段"
        value={days}
        options={[...choices.map((value) => ({ value, label: `近 ${value} 天` })), { value: custom, label: '自选' }]}
        onChange={(value) =>
          value === custom ? choose(...lastDays(days)) : setParams({ days: String(value) }, { replace: true })
        }
      />
      {first && last && (
        <>
          <DateRangePicker
            aria-label="自选的时间段"
            value={[first, last]}
            onChange={([from, to]) => choose(from, to)}
          />
          <Typography.Text type="secondary">最多 366 天；选得更长，只算最后的 366 天</Typography.Text>
        </>
      )}
    </Flex>
  )
}
