// @ts-check
/** Short wooden sounds, made on the spot. Off until somebody wants them. */

const KEY = "sounds";
/** @type {AudioContext | undefined} */
let audio;

export const soundsOn = () => localStorage.getItem(KEY) === "on";

/** @param {boolean} on */
export function setSounds(on) {
  localStorage.setItem(KEY, on ? "on" : "off");
  if (on) sound("step");
}

const SOUNDS = { step: [420, 0.06], capture: [160, 0.18], end: [330, 0.4] };

/** @param {keyof typeof SOUNDS} name */
export function sound(name) {
  if (!soundsOn()) return;
  audio ??= new AudioContext();
  const [pitch = 400, length = 0.1] = SOUNDS[name];
  const tone = audio.createOscillator();
  const loud = audio.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(pitch, audio.currentTime);
  tone.frequency.exponentialRampToValueAtTime(pitch / 2, audio.currentTime + length);
  loud.gain.setValueAtTime(0.25, audio.currentTime);
  loud.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + length);
  tone.connect(loud).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + length);
}
