import { InputNumber } from 'antd'
import { formatYuan } from '#shared/prices.ts'

interface FenInputProps {
  value?: number
  onChange?: (value: number | null) => void
  min?: number
  max?: number
}

/** An amount in fen, with what it is in yuan beside it: a mistake of a hundred is seen. */
export function FenInput(props: FenInputProps) {
  const { value } = props
  const yuan = Number.isSafeInteger(value) && value !== undefined && value >= 0 ? `= ¥${formatYuan(value)}` : undefined
  return <InputNumber {...props} style={{ width: '100%' }} precision={0} suffix={yuan} />
}
