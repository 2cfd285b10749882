/** Sound effects, synthesised with Web Audio: roll, suspense, cheer, step, stop, bust, column, win. */

/** @typedef {"roll" | "suspense" | "cheer" | "step" | "stop" | "bust" | "column" | "win" | "turn" | "react"} Sound */

/**
 * @param {Sound} name
 * @param {AudioContext} audio
 */
export function sound(name, audio) {
  SCORES[name](audio, audio.currentTime);
}

/** @type {Record<Sound, (audio: AudioContext, at: number) => void>} */
const SCORES = {
  roll: (audio, at) => {
    for (let i = 0; i < 9; i += 1)
      knock(audio, at + i * 0.06 + Math.random() * 0.03, 0.16 - i * 0.012);
  },
  suspense: (audio, at) => {
    for (let i = 0; i < 18; i += 1) knock(audio, at + i * 0.085, 0.15 - i * 0.004);
    for (let i = 0; i < 3; i += 1) note(audio, at + 0.6 + i * 0.32, 95, 0.16, 0.2, 70);
  },
  cheer: (audio, at) => chord(audio, at, [659, 784, 988], 0.05, 0.18),
  step: (audio, at) => {
    note(audio, at, 520, 0.08, 0.12);
    note(audio, at + 0.07, 660, 0.1, 0.12);
  },
  stop: (audio, at) => chord(audio, at, [392, 523, 659], 0.07, 0.25),
  column: (audio, at) => chord(audio, at, [523, 659, 784, 1047], 0.09, 0.4),
  win: (audio, at) => {
    chord(audio, at, [523, 659, 784], 0.12, 0.25);
    chord(audio, at + 0.45, [587, 740, 880, 1175], 0.05, 0.9);
  },
  bust: (audio, at) => {
    note(audio, at, 300, 0.5, 0.2, 70, "sawtooth");
    knock(audio, at + 0.42, 0.35);
  },
  turn: (audio, at) => note(audio, at, 880, 0.18, 0.1),
  react: (audio, at) => note(audio, at, 700, 0.12, 0.1, 1050),
};

/**
 * @param {AudioContext} audio
 * @param {number} at
 * @param {number[]} pitches
 * @param {number} apart
 * @param {number} length
 */
function chord(audio, at, pitches, apart, length) {
  pitches.forEach((pitch, i) => note(audio, at + i * apart, pitch, length, 0.1));
}

/**
 * @param {AudioContext} audio
 * @param {number} at
 * @param {number} pitch
 * @param {number} length
 * @param {number} volume
 * @param {number} [glideTo]
 * @param {OscillatorType} [type]
 */
function note(audio, at, pitch, length, volume, glideTo = pitch, type = "triangle") {
  const oscillator = audio.createOscillator();
  oscillator.type = type;
  oscillator.frequency.setValueAtTime(pitch, at);
  oscillator.frequency.exponentialRampToValueAtTime(glideTo, at + length);
  oscillator.connect(envelope(audio, at, length, volume));
  oscillator.start(at);
  oscillator.stop(at + length + 0.05);
}

/**
 * A die on wood: a short burst of noise.
 * @param {AudioContext} audio
 * @param {number} at
 * @param {number} volume
 */
function knock(audio, at, volume) {
  const frames = Math.floor(audio.sampleRate * 0.04);
  const buffer = audio.createBuffer(1, frames, audio.sampleRate);
  buffer
    .getChannelData(0)
    .forEach((_, i, data) => (data[i] = (Math.random() * 2 - 1) * (1 - i / frames)));
  const noise = audio.createBufferSource();
  noise.buffer = buffer;
  const wood = audio.createBiquadFilter();
  wood.type = "bandpass";
  wood.frequency.value = 1400 + Math.random() * 1200;
  noise.connect(wood).connect(envelope(audio, at, 0.04, volume));
  noise.start(at);
}

/**
 * @param {AudioContext} audio
 * @param {number} at
 * @param {number} length
 * @param {number} volume
 */
function envelope(audio, at, length, volume) {
  const gain = audio.createGain();
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(volume, at + 0.01);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  gain.connect(audio.destination);
  return gain;
}
