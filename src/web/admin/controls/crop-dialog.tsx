import { Button, Flex, Modal, Slider, Typography } from 'antd'
import { useState } from 'react'
import styles from '#web/admin/controls/controls.module.css'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { maxZoom, largestCrop, imagePlacement, type Size, zoomCrop, currentZoom } from '#web/domain/pictures/crop.ts'
import { describeCrop, useCropGestures } from '#web/domain/pictures/crop-gestures.ts'
import { cropToFile } from '#web/domain/pictures/crop-picture.ts'

interface CropDialogProps {
  picture: HTMLImageElement
  /** The original, which can be uploaded uncropped. */
  file: File
  shape: Size
  /** False after a failure, which has been shown. */
  send: (file: File) => Promise<boolean>
  onClose: () => void
}

/** Crops a picture to the shape of the place where it is shown. */
export function CropDialog({ picture, file, shape, send, onClose }: CropDialogProps) {
  const size = { width: picture.naturalWidth, height: picture.naturalHeight }
  const [crop, setCrop] = useState(() => largestCrop(size, shape.width / shape.height))
  const { stage, grip } = useCropGestures(size, setCrop)
  const { busy, run } = useTask()
  const { showError } = useFeedback()
  const upload = (getFile: () => Promise<File> | File) =>
    run(async () => {
      try {
        if (await send(await getFile())) onClose()
      } catch {
        showError('裁剪', new Error('浏览器处理不了这张图片，请使用原图'))
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
          <Button disabled={busy} onClick={() => void upload(() => file)}>
            使用原图
          </Button>
          <Button
            type="primary"
            loading={busy}
            onClick={() => void upload(() => cropToFile(picture, crop, { maxWidth: shape.width, name }))}
          >
            裁剪并上传
          </Button>
        </Flex>
      }
    >
      <Typography.Paragraph type="secondary">
        图片按 {shape.width} × {shape.height} 的比例显示。拖动图片选取范围，滚轮或双指缩放；也可以用方向键和加减键。
      </Typography.Paragraph>
      <div ref={stage} className={styles.crop} style={{ aspectRatio: `${shape.width} / ${shape.height}` }}>
        <img src={picture.src} alt="" style={imagePlacement(crop, size)} />
        <button type="button" aria-label={describeCrop(crop, size)} {...grip} />
      </div>
      <Slider
        min={1}
        max={maxZoom(crop, size)}
        step={0.01}
        value={currentZoom(crop, size)}
        disabled={maxZoom(crop, size) === 1}
        tooltip={{ formatter: (zoom = 1) => `${zoom.toFixed(1)} 倍` }}
        ariaLabelForHandle="缩放"
        onChange={(zoom) => setCrop((before) => zoomCrop(before, size, zoom))}
      />
    </Modal>
  )
}
