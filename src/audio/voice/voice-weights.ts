/**
 * Centre, scale and weight of each voice cue, in the order of VOICE_CUES, and of a constant; and the line from a
 * recording's score to log-odds. Written by lab/fit-voice.ts.
 */
export const VOICE_WEIGHTS: readonly (readonly [centre: number, scale: number, weight: number])[] = [
  [0.5613, 0.7542, -0.3129], // region 0 moves at rate 0
  [0.4588, 0.6945, -0.2935], // region 0 moves at rate 1
  [-0.04341, 0.6026, -0.01113], // region 0 moves at rate 2
  [-0.3277, 0.3905, -0.1304], // region 0 moves at rate 3
  [0.3245, 0.5805, 0.1144], // region 1 moves at rate 0
  [0.3452, 0.5069, -0.07233], // region 1 moves at rate 1
  [-0.262, 0.4318, -0.1283], // region 1 moves at rate 2
  [-0.7352, 0.3772, 0.3106], // region 1 moves at rate 3
  [0.4452, 0.6344, 0.0253], // region 2 moves at rate 0
  [0.4405, 0.5593, -0.06198], // region 2 moves at rate 1
  [-0.117, 0.4353, -0.3414], // region 2 moves at rate 2
  [-0.6787, 0.3808, -0.1955], // region 2 moves at rate 3
  [0.5218, 0.7742, 0.169], // region 3 moves at rate 0
  [0.6414, 0.7413, -0.1223], // region 3 moves at rate 1
  [0.104, 0.6315, -0.07106], // region 3 moves at rate 2
  [-0.3923, 0.5363, 0.1093], // region 3 moves at rate 3
  [0.5606, 0.4146, 0.8506], // formants move at rate 0
  [0.484, 0.3265, 0.6225], // formants move at rate 1
  [0.03862, 0.2061, -0.09121], // formants move at rate 2
  [-0.3, 0.1537, 0.3734], // formants move at rate 3
  [0.8617, 0.2497, -0.5369], // formants stand out
  [0.1792, 0.07666, 0.2756], // formants stand out now and then
  [-0.1897, 0.748, -0.3567], // level of region 0
  [0, 5.913e-7, 0], // level of region 1
  [-0.7557, 0.5594, -0.196], // level of region 2
  [-2.699, 1.043, -0.1434], // level of region 3
  [0.2598, 0.2861, -0.004529], // bass moves with lower formants
  [0.5428, 0.2916, 0.6709], // lower formants move with upper
  [0.4206, 0.3284, -0.7656], // upper formants move with sibilants
  [0, 1, -0.00386], // always
];
export const VOICE_SLOPE = 3.467;
export const VOICE_SHIFT = -3.472;
