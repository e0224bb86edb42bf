import { LoadingOutlined, UploadOutlined } from '@ant-design/icons'
import { Button, Flex, Image, Input, Upload } from 'antd'
import { useState } from 'react'
import { CropDialog } from '#web/admin/controls/crop-dialog.tsx'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import type { Size } from '#web/lib/crop.ts'
import { closePicture, openPicture, pictureKinds } from '#web/lib/crop-picture.ts'
import { uploadPicture } from '#web/lib/upload-picture.ts'

interface ImageInputProps {
  id?: string
  value?: string
  /** What the picture is for: the last word of its upload address. */
  use: 'config' | 'banner' | 'category'
  /** The shape that pictures of this place have: what is uploaded can be cut to it. */
  shape?: Size
  onChange?: (value: string) => void
  onBlur?: () => void
}

/** A picture, uploaded or by its address, with a look at it. */
export function ImageInput({ id, value = '', use, shape, onChange, onBlur }: ImageInputProps) {
  const [cutting, setCutting] = useState<{ picture: HTMLImageElement; file: File }>()
  const { busy, run } = useTask()
  const { failed } = useFeedback()
  const send = async (file: File): Promise<boolean> => {
    try {
      onChange?.(await uploadPicture(use, file))
      return true
    } catch (error) {
      failed('上传', error)
      return false
    }
  }
  const take = (file: File) =>
    run(async () => {
      // What the browser cannot open is the server's to judge.
      const picture = shape && (await openPicture(file).catch(() => undefined))
      if (picture) setCutting({ picture, file })
      else await send(file)
    })
  const close = () => {
    if (cutting) closePicture(cutting.picture)
    setCutting(undefined)
  }
  return (
    <Flex gap={8} align="center" wrap={shape !== undefined}>
      <Input
        id={id}
        className="wa-address"
        value={value}
        allowClear
        placeholder="上传图片，或填写地址"
        onChange={(event) => onChange?.(event.target.value)}
        onBlur={onBlur}
      />
      <Upload
        accept={pictureKinds}
        showUploadList={false}
        beforeUpload={(file) => {
          void take(file)
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
          className="wa-preview"
          style={shape && { aspectRatio: `${shape.width} / ${shape.height}`, objectFit: 'cover' }}
          fallback={broken}
        />
      )}
      {cutting && shape && <CropDialog {...cutting} shape={shape} send={send} onClose={close} />}
    </Flex>
  )
}

const broken =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"%3E%3Cpath fill="none" stroke="%23999" stroke-width="2" d="M4 6h24v20H4zM4 22l8-8 6 6 4-4 6 6"/%3E%3C/svg%3E'
