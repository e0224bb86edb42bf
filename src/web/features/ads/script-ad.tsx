import { useEffect, useRef, useState } from 'react'
import { adFramePath, adMessages, adSandbox } from '#shared/ad-frame.ts'
import { adHeight, reportedHeight } from '#web/domain/ad-frame.ts'
import type { Ad } from '#web/domain/site.ts'

interface ScriptAdProps {
  ad: Ad
  onHeight?: ((height: number) => void) | undefined
}

/** An advertisement whose scripts run, in a frame of an opaque origin that reports its height. */
export function ScriptAd({ ad: { id, content }, onHeight }: ScriptAdProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState(() => adHeight(content))
  useEffect(() => {
    const listen = ({ source, data }: MessageEvent<unknown>) => {
      const reported = reportedHeight(data)
      if (source !== frame.current?.contentWindow || reported === undefined) return
      setHeight(reported)
      onHeight?.(reported)
    }
    window.addEventListener('message', listen)
    frame.current?.contentWindow?.postMessage(adMessages.ask, '*')
    return () => window.removeEventListener('message', listen)
  }, [onHeight])
  return (
    <iframe
      ref={frame}
      title="广告"
      loading="lazy"
      sandbox={adSandbox}
      src={adFramePath(id)}
      height={height}
      className="block w-full rounded-lg border-0"
    />
  )
}
