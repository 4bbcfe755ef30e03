/**
 * Centre and scale of each descriptor, in the order of DESCRIPTOR_NAMES: mean and standard deviation over 216 rendered
 * clips in 18 styles. Loudness, crest, range, width and silence depend on mastering and are set for finished music.
 * Changing a number changes what vectors mean: raise DESCRIPTOR_VERSION with it.
 */
export const DESCRIPTOR_SCALES: readonly (readonly [centre: number, scale: number])[] = [
  [5.1156, 2.342], // mfcc 1 mean
  [2.4192, 0.9784], // mfcc 1 deviation
  [1.5324, 0.4997], // mfcc 1 delta
  [-0.1386, 1.2572], // mfcc 2 mean
  [1.5722, 0.5052], // mfcc 2 deviation
  [1.0054, 0.2589], // mfcc 2 delta
  [0.9844, 0.9945], // mfcc 3 mean
  [1.1202, 0.3875], // mfcc 3 deviation
  [0.7597, 0.1992], // mfcc 3 delta
  [-0.4528, 0.6996], // mfcc 4 mean
  [0.9809, 0.3046], // mfcc 4 deviation
  [0.6691, 0.1217], // mfcc 4 delta
  [-0.0758, 0.5778], // mfcc 5 mean
  [0.8454, 0.2486], // mfcc 5 deviation
  [0.5851, 0.1038], // mfcc 5 delta
  [-0.3288, 0.5808], // mfcc 6 mean
  [0.7785, 0.1906], // mfcc 6 deviation
  [0.5515, 0.0802], // mfcc 6 delta
  [-0.11, 0.6093], // mfcc 7 mean
  [0.6927, 0.1637], // mfcc 7 deviation
  [0.5057, 0.0773], // mfcc 7 delta
  [-0.2805, 0.4193], // mfcc 8 mean
  [0.6437, 0.1289], // mfcc 8 deviation
  [0.4922, 0.0915], // mfcc 8 delta
  [-0.0048, 0.398], // mfcc 9 mean
  [0.5934, 0.1213], // mfcc 9 deviation
  [0.4531, 0.0668], // mfcc 9 delta
  [0.1276, 0.3613], // mfcc 10 mean
  [0.6004, 0.123], // mfcc 10 deviation
  [0.4525, 0.0587], // mfcc 10 delta
  [0.2935, 0.3473], // mfcc 11 mean
  [0.617, 0.1399], // mfcc 11 deviation
  [0.4537, 0.0653], // mfcc 11 delta
  [0.2094, 0.256], // mfcc 12 mean
  [0.5845, 0.1356], // mfcc 12 deviation
  [0.4323, 0.0613], // mfcc 12 delta
  [9.1586, 0.6444], // centroid mean
  [0.8909, 0.2747], // centroid deviation
  [0.6202, 0.2008], // centroid delta
  [9.719, 0.7044], // rolloff mean
  [1.1137, 0.3944], // rolloff deviation
  [0.8788, 0.3088], // rolloff delta
  [9.3264, 0.7586], // spread mean
  [0.8555, 0.307], // spread deviation
  [0.6088, 0.2166], // spread delta
  [-2.7551, 0.8398], // flatness mean
  [0.7045, 0.2372], // flatness deviation
  [0.5667, 0.1862], // flatness delta
  [9.5106, 0.8963], // zero crossings mean
  [0.9267, 0.3657], // zero crossings deviation
  [0.5971, 0.2102], // zero crossings delta
  [0.659, 0.0607], // contrast below 400 Hz mean
  [0.1358, 0.0184], // contrast below 400 Hz deviation
  [0.8224, 0.0565], // contrast below 800 Hz mean
  [0.1377, 0.0219], // contrast below 800 Hz deviation
  [1.0678, 0.0617], // contrast below 1600 Hz mean
  [0.1827, 0.0301], // contrast below 1600 Hz deviation
  [1.255, 0.0967], // contrast below 3200 Hz mean
  [0.2178, 0.0444], // contrast below 3200 Hz deviation
  [1.377, 0.1267], // contrast below 6400 Hz mean
  [0.2633, 0.058], // contrast below 6400 Hz deviation
  [1.3108, 0.2214], // contrast below 11025 Hz mean
  [0.2738, 0.0834], // contrast below 11025 Hz deviation
  [-1.7325, 0.7139], // level below 100 Hz mean
  [1.0454, 0.3918], // level below 100 Hz deviation
  [-1.4625, 0.6036], // level below 200 Hz mean
  [1.0466, 0.4868], // level below 200 Hz deviation
  [-1.0564, 0.3588], // level below 400 Hz mean
  [0.5315, 0.2192], // level below 400 Hz deviation
  [-0.9271, 0.3041], // level below 800 Hz mean
  [0.5005, 0.1773], // level below 800 Hz deviation
  [-1.348, 0.4077], // level below 1600 Hz mean
  [0.5955, 0.1976], // level below 1600 Hz deviation
  [-1.7209, 0.5325], // level below 3200 Hz mean
  [0.6866, 0.2538], // level below 3200 Hz deviation
  [-2.2302, 0.75], // level below 6400 Hz mean
  [0.797, 0.3409], // level below 6400 Hz deviation
  [-3.1666, 0.9566], // level below 11025 Hz mean
  [0.9263, 0.3613], // level below 11025 Hz deviation
  [0.5646, 0.2603], // level deviation
  [4.2783, 1.3855], // onsetRatePerSec
  [3.9015, 1.1942], // lowOnsetRatePerSec
  [4.2795, 1.5203], // highOnsetRatePerSec
  [0.748, 0.2504], // onsetStrength
  [0.6509, 0.1904], // pulseClarity
  [0.9034, 0.0273], // chromaEntropy
  [0.813, 0.0647], // bassEntropy
  [0.903, 0.0492], // scaleFit
  [-0.1097, 0.1966], // minorLead
  [0.3797, 0.0932], // percussiveness
  [6, 4], // loudnessRangeLu
  [13, 4], // crestDb
  [0.12, 0.12], // stereoWidth
  [0.02, 0.1], // silentShare
  [-14, 5], // integrated loudness
  [6.7849, 0.424], // tempo octave
];
