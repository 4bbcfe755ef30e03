/**
 * Weight of each kind of tempo evidence, in the order of `evidenceNames`.
 *
 * Fitted by multinomial logistic regression (L2 penalty 0.015) on 432 rendered clips in 18 styles, a third of
 * them with other instruments and some or all drums left out.
 * The weighted sum is a log-odds, so a softmax over the candidates gives their probabilities.
 */
export const TEMPO_WEIGHTS: readonly number[] = [
  0.218, // low repeats at 1.00
  -0.185, // low repeats at 2.00
  1.712, // low repeats at 4.00
  0.039, // low repeats at 0.50
  -0.007, // low repeats at 3.00
  0.044, // low repeats at 1.50
  -0.106, // low repeats at 0.33
  -0.477, // low repeats at 0.25
  0.349, // body repeats at 1.00
  -0.02, // body repeats at 2.00
  1.228, // body repeats at 4.00
  -0.054, // body repeats at 0.50
  0.202, // body repeats at 3.00
  -0.099, // body repeats at 1.50
  -0.11, // body repeats at 0.33
  -0.418, // body repeats at 0.25
  0.394, // middle repeats at 1.00
  0.186, // middle repeats at 2.00
  0.72, // middle repeats at 4.00
  0.09, // middle repeats at 0.50
  0.233, // middle repeats at 3.00
  -0.015, // middle repeats at 1.50
  -0.179, // middle repeats at 0.33
  -0.241, // middle repeats at 0.25
  0.398, // high repeats at 1.00
  0.224, // high repeats at 2.00
  0.464, // high repeats at 4.00
  0.137, // high repeats at 0.50
  0.212, // high repeats at 3.00
  0.007, // high repeats at 1.50
  -0.134, // high repeats at 0.33
  0.233, // high repeats at 0.25
  0.479, // total repeats at 1.00
  0.169, // total repeats at 2.00
  0.864, // total repeats at 4.00
  0.243, // total repeats at 0.50
  0.255, // total repeats at 3.00
  0.223, // total repeats at 1.50
  -0.174, // total repeats at 0.33
  -0.178, // total repeats at 0.25
  0.373, // tempogram at 1.00
  1.223, // tempogram at 2.00
  2.447, // tempogram at 4.00
  -0.002, // tempogram at 0.50
  -0.311, // tempogram at 3.00
  0.135, // tempogram at 1.50
  0.497, // tempogram x correlation
  -0.403, // octaves from centre
  -1.48, // octaves from centre, squared
  0.35, // low onsets a beat
  0.016, // low onsets a beat, squared
  0.293, // body onsets a beat
  -0.748, // body onsets a beat, squared
  0.326, // middle onsets a beat
  0.764, // middle onsets a beat, squared
  0.312, // high onsets a beat
  -0.352, // high onsets a beat, squared
  0.301, // total onsets a beat
  -0.521, // total onsets a beat, squared
];
