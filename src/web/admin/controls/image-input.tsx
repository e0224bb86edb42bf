import { Flex, Image, Input } from 'antd'

interface ImageInputProps {
  id?: string
  value?: string
  onChange?: (value: string) => void
  onBlur?: () => void
}

/** A picture by its address, with a look at it. */
export function ImageInput({ id, value = '', onChange, onBlur }: ImageInputProps) {
  return (
    <Flex gap={12} align="center">
      <Input
        id={id}
        value={value}
        allowClear
        placeholder="图片地址：/uploads/… 或 https://…"
        onChange={(event) => onChange?.(event.target.value)}
        onBlur={onBlur}
      />
      {/^(\/|https?:\/\/)/.test(value) && (
        <Image key={value} src={value} height={32} alt="预览" className="wa-preview" fallback={broken} />
      )}
    </Flex>
  )
}

const broken =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"%3E%3Cpath fill="none" stroke="%23999" stroke-width="2" d="M4 6h24v20H4zM4 22l8-8 6 6 4-4 6 6"/%3E%3C/svg%3E'
