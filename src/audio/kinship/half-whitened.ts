type Spectrum = { re: Float64Array; im: Float64Array };

/**
 * Writes the spectrum of the correlation of two sounds, half whitened: sharper than the plain correlation, and less led by noise
 * than the phase alone (Knapp & Carter 1976). `product` may be one of the two.
 */
export function halfWhitened(x: Spectrum, y: Spectrum, product: Spectrum): void {
  for (let bin = 0; bin < x.re.length; bin++) {
    const a = x.re[bin] as number;
    const b = x.im[bin] as number;
    const c = y.re[bin] as number;
    const d = y.im[bin] as number;
    const re = a * c + b * d;
    const im = a * d - b * c;
    const weight = bin === 0 ? 0 : 1 / Math.sqrt(Math.sqrt(re * re + im * im) + Number.MIN_VALUE);
    product.re[bin] = re * weight;
    product.im[bin] = im * weight;
  }
}
