import { Button, Flex, Modal, Slider, Typography } from 'antd'
import { useState } from 'react'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { farthestZoom, largestCrop, placement, type Size, zoomed, zoomOf } from '#web/lib/crop.ts'
import { cropInWords, useCropGestures } from '#web/lib/crop-gestures.ts'
import { cutOut } from '#web/lib/crop-picture.ts'

interface CropDialogProps {
  picture: HTMLImageElement
  /** The file it came from, for who wants all of it. */
  file: File
  shape: Size
  /** False when it did not work, and has been said. */
  send: (file: File) => Promise<boolean>
  onClose: () => void
}

/** From a picture of any shape to the one that its place has. */
export function CropDialog({ picture, file, shape, send, onClose }: CropDialogProps) {
  const size = { width: picture.naturalWidth, height: picture.naturalHeight }
  const [crop, setCrop] = useState(() => largestCrop(size, shape.width / shape.height))
  const { stage, grip } = useCropGestures(size, setCrop)
  const { busy, run } = useTask()
  const { failed } = useFeedback()
  const save = (make: () => Promise<File> | File) =>
    run(async () => {
      try {
        if (await send(await make())) onClose()
      } catch {
        failed('裁剪', new Error('浏览器处理不了这张图片，请使用原图'))
      }
    })
  const name = `${file.name.replace(/\.\w+$/, '')}.webp`
  return (
    <Modal
      open
      title="裁剪图片"
      width="min(760px, calc(100vw - 32px))"
      onCancel={onClose}
      closable={!busy}
      keyboard={!busy}
      mask={{ closable: false }}
      footer={
        <Flex wrap gap={8} justify="flex-end">
          <Button disabled={busy} onClick={onClose}>
            取消
          </Button>
          <Button disabled={busy} onClick={() => void save(() => file)}>
            使用原图
          </Button>
          <Button
            type="primary"
            loading={busy}
            onClick={() => void save(() => cutOut(picture, crop, { widest: shape.width, name }))}
          >
            裁剪并上传
          </Button>
        </Flex>
      }
    >
      <Typography.Paragraph type="secondary">
        图片按 {shape.width} × {shape.height} 的比例显示。拖动图片选取范围，滚轮或双指缩放；也可以用方向键和加减键。
      </Typography.Paragraph>
      <div ref={stage} className="wa-crop" style={{ aspectRatio: `${shape.width} / ${shape.height}` }}>
        <img src={picture.src} alt="" style={placement(crop, size)} />
        <button type="button" aria-label={cropInWords(crop, size)} {...grip} />
      </div>
      <Slider
        min={1}
        max={farthestZoom(crop, size)}
        step={0.01}
        value={zoomOf(crop, size)}
        disabled={farthestZoom(crop, size) === 1}
        tooltip={{ formatter: (zoom = 1) => `${zoom.toFixed(1)} 倍` }}
        ariaLabelForHandle="缩放"
        onChange={(zoom) => setCrop((before) => zoomed(before, size, zoom))}
      />
    </Modal>
  )
}
