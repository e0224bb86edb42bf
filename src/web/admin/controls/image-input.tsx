import { LoadingOutlined, UploadOutlined } from '@ant-design/icons'
import { Button, Flex, Image, Input, Upload } from 'antd'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { uploadPicture } from '#web/lib/upload-picture.ts'

interface ImageInputProps {
  id?: string
  value?: string
  /** What the picture is for: the last word of its upload address. */
  use: 'config' | 'banner' | 'category'
  onChange?: (value: string) => void
  onBlur?: () => void
}

/** A picture, uploaded or by its address, with a look at it. */
export function ImageInput({ id, value = '', use, onChange, onBlur }: ImageInputProps) {
  const { busy, run } = useTask()
  const { failed } = useFeedback()
  const upload = (file: File) =>
    run(async () => {
      try {
        onChange?.(await uploadPicture(use, file))
      } catch (error) {
        failed('上传', error)
      }
    })
  return (
    <Flex gap={8} align="center">
      <Input
        id={id}
        value={value}
        allowClear
        placeholder="上传图片，或填写地址"
        onChange={(event) => onChange?.(event.target.value)}
        onBlur={onBlur}
      />
      <Upload
        accept="image/png,image/jpeg,image/gif,image/webp,image/bmp"
        showUploadList={false}
        beforeUpload={(file) => {
          void upload(file)
          return false
        }}
      >
        <Button icon={busy ? <LoadingOutlined /> : <UploadOutlined />} disabled={busy}>
          上传
        </Button>
      </Upload>
      {/^(\/|https?:\/\/)/.test(value) && (
        <Image key={value} src={value} height={32} alt="预览" className="wa-preview" fallback={broken} />
      )}
    </Flex>
  )
}

const broken =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"%3E%3Cpath fill="none" stroke="%23999" stroke-width="2" d="M4 6h24v20H4zM4 22l8-8 6 6 4-4 6 6"/%3E%3C/svg%3E'
