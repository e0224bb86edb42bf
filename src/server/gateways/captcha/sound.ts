import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'

const rate = 8000
const silence = 128

/** The digits spoken in Mandarin with noise, as a WAV file. */
export async function speak(digits: string): Promise<Buffer> {
  const recordings = await Promise.all(
    digits.split('').map((digit) => readFile(new URL(`./digits/${digit}.pcm`, import.meta.url))),
  )
  const parts = recordings.flatMap((sound) => [pause(), changeSpeed(sound)])
  const samples = Buffer.concat([...parts, pause()])
  for (let index = 0; index < samples.length; index++) {
    samples[index] = Math.min(255, Math.max(0, (samples[index] ?? silence) + randomInt(-9, 10)))
  }
  return Buffer.concat([header(samples.length), samples])
}

/** A little faster or slower each time, so that two recordings of a digit differ. */
function changeSpeed(sound: Buffer): Buffer {
  const pace = 0.9 + randomInt(25) / 100
  return Buffer.from(
    Array.from({ length: Math.floor(sound.length / pace) }, (_, i) => sound[Math.floor(i * pace)] ?? silence),
  )
}

function pause(): Buffer {
  return Buffer.alloc(rate * 0.2 + randomInt(rate * 0.25), silence)
}

function header(length: number): Buffer {
  const wav = Buffer.alloc(44)
  wav.write('RIFF', 0)
  wav.writeUInt32LE(36 + length, 4)
  wav.write('WAVEfmt ', 8)
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(rate, 24)
  wav.writeUInt32LE(rate, 28)
  wav.writeUInt16LE(1, 32)
  wav.writeUInt16LE(8, 34)
  wav.write('data', 36)
  wav.writeUInt32LE(length, 40)
  return wav
}
