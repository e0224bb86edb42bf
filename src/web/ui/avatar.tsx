import { useState } from 'react'

const tones = ['#8a3b2a', '#2f5d8a', '#4c6b2f', '#6b4a86', '#8a5a14', '#2f6f6a']

/** A user's picture; without one, the first character of the name on a coloured disc. */
export function Avatar({ src, name, size = 80 }: { src: string; name: string; size?: number }) {
  const [failed, setFailed] = useState('')
  const box = { width: size, height: size }
  if (src && src !== failed) {
    return (
      <img
        src={src}
        alt=""
        width={size}
        height={size}
        style={box}
        onError={() => setFailed(src)}
        className="shrink-0 rounded-full bg-sunken object-cover"
      />
    )
  }
  const [initial = '?'] = name
  const tone = tones[(initial.codePointAt(0) ?? 0) % tones.length]
  return (
    <span
      aria-hidden
      style={{ ...box, fontSize: Math.max(12, Math.round(size * 0.42)), background: tone }}
      className="inline-flex shrink-0 items-center justify-center rounded-full leading-none font-semibold text-[#fff] select-none"
    >
      {initial.toUpperCase()}
    </span>
  )
}
