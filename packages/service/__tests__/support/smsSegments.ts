/** GSM 03.38, without the escape character, and its extension table. */
const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const extension = '\f^{}\\[~]|€';

/** The messages that a text takes: of 160 septets or 70 units of UCS-2, or of 153 or 67 if there are several. No character is split. */
export function smsSegments(text: string): number {
  const characters = Array.from(text);
  const isGsm = characters.every((one) => (basic + extension).includes(one));
  const sizes = characters.map((one) => (isGsm ? (extension.includes(one) ? 2 : 1) : one.length));
  const [ofOne, ofSeveral] = isGsm ? [160, 153] : [70, 67];
  if (sizes.reduce((sum, size) => sum + size, 0) <= ofOne) return 1;
  let [segments, used] = [1, 0];
  for (const size of sizes) {
    if (used + size > ofSeveral) [segments, used] = [segments + 1, 0];
    used += size;
  }
  return segments;
}
