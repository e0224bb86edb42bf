import { LoadingOutlined, UploadOutlined } from '@ant-design/icons'
import { Button, Flex, Image, Input, Upload } from 'antd'
import { type CSSProperties, useState } from 'react'
import styles from '#web/admin/controls/controls.module.css'
import { CropDialog } from '#web/admin/controls/crop-dialog.tsx'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import type { Size } from '#web/domain/pictures/crop.ts'
import { closePicture, openPicture, pictureTypes } from '#web/domain/pictures/crop-picture.ts'
import { uploadPicture } from '#web/domain/pictures/upload-picture.ts'

interface ImageInputProps {
  id?: string
  value?: string
  /** What the picture is for: the last part of the upload's path. */
  use: 'config' | 'banner' | 'category'
  /** Uploads can be cropped to this shape. */
  shape?: Size
  onChange?: (value: string) => void
  onBlur?: () => void
}

/** A picture, uploaded or by its URL, with a preview. */
export function ImageInput({ id, value = '', use, shape, onChange, onBlur }: ImageInputProps) {
  const [cropping, setCropping] = useState<{ picture: HTMLImageElement; file: File }>()
  const { busy, run } = useTask()
  const { showError } = useFeedback()
  const send = async (file: File): Promise<boolean> => {
    try {
      onChange?.(await uploadPicture(use, file))
      return true
    } catch (error) {
      showError('上传', error)
      return false
    }
  }
  const upload = (file: File) =>
    run(async () => {
      // The server may accept what the browser cannot open.
      const picture = shape && (await openPicture(file).catch(() => undefined))
      if (picture) setCropping({ picture, file })
      else await send(file)
    })
  const close = () => {
    if (cropping) closePicture(cropping.picture)
    setCropping(undefined)
  }
  return (
    <Flex gap={8} align="center" wrap={shape !== undefined}>
      <Input
        id={id}
        className={styles.address}
        value={value}
        allowClear
        placeholder="上传图片，或填写地址"
        onChange={(event) => onChange?.(event.target.value)}
        onBlur={onBlur}
      />
      <Upload
        accept={pictureTypes}
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
        <Image
          key={value}
          src={value}
          height={shape ? undefined : 32}
          width={shape ? '100%' : undefined}
          alt="预览"
          style={toPreviewStyle(shape)}
          fallback={fallbackIcon}
        />
      )}
      {cropping && shape && <CropDialog {...cropping} shape={shape} send={send} onClose={close} />}
    </Flex>
  )
}

/** Pictures with a shape fill it, others are shown whole. */
export function toPreviewStyle(shape?: Size): CSSProperties {
  if (!shape) return { borderRadius: 4, objectFit: 'contain' }
  return { borderRadius: 4, objectFit: 'cover', aspectRatio: `${shape.width} / ${shape.height}` }
}

const fallbackIcon =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"%3E%3Cpath fill="none" stroke="%23999" stroke-width="2" d="M4 6h24v20H4zM4 22l8-8 6 6 4-4 6 6"/%3E%3C/svg%3E'
