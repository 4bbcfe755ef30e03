/**
 * Category, name and direction (96 int8 in base64) of the tags that can be told by their sound. Written by
 * scripts/train-tagger.ts.
 */
export const DIRECTIONS: readonly (readonly [category: string, name: string, direction: string])[] = [
  [
    "genres",
    "Classical",
    "Cfz76xHy9OP1/Pf24/HhBgHuAwULKhHvGwP7CwL1BAn27Az8BQ4ACP/9/BX+6vbqCh0CBuwR+R76G/wb+Aci7/gN0fQJDeUUFwwg9kPr9j7+Bwva8vH89Qnnf+wPWOQI",
  ],
  [
    "genres",
    "Electronic",
    "CxoDHsHdzePjAuPrB9Xj2g/+AwL77xoY8Q8Y3i0e3BoVDBwG/hwP/yQkAPkFClMd7TQeDQEEBeX94P3hCtkKC84BRxHwAv/vx8eRz4EENAIK4/LE9Dr9D0ktpxYK/wos",
  ],
  [
    "genres",
    "Orchestral",
    "9xLy6uHuEOfs7xXgCB7t2cD69xHe7Ort+uX0B+b9L+oV5tD5Bu/1BObo/Pv4EMPoC9T29Qgb+Qf+7BPy/RwtDyXu4BfYGyIr8y75Ji4L9a4ZCC7YgejaFrEJNwPU8xHC",
  ],
  [
    "genres",
    "Rock",
    "0J7U8n82epiuHOHj9BM/Id7zKw//xAsdJtbbJ97VDdbCM9DsAPUCIeny/4PcLf4JJaLb5PGg+wlS+PAXFOrAKTrlE/T5sN7PNEVjVgkYuUbHa8dcVx1ERN+nxmPJf+QQ",
  ],
  [
    "instruments",
    "Acoustic Guitar",
    "DbrpFe38GvkU3wn8y9gK/sDhFPcR9ALJ8icbDTMdrw8UBiog7RQE5Bz9EfP63QccA/gIuO2+LgPpA6QI4jnq/RIUBfkNDQIDAvMuGEX85f/6D8ZIFS4H/uLugZQJGgH6",
  ],
  [
    "instruments",
    "Bass Guitar",
    "2s3w+TkvMO3j/rHcEQspBRoWEBEB4fYFENvVB+zZ7dvW8OPR/+3oBvPqCcvrJigSEODr7QzwCQI3HPT/4wPaCwr2CgLr0fHvGyAqNYEcIfz3KQgvTPklDeLT6XfwJ/jZ",
  ],
  [
    "instruments",
    "Brass",
    "/ez68w7//hMm9BgMBjkE8wAVFfcA/uP1DAX+8e73L+7+CO8ABdjv/OfyAAIKIvX77sruG+YMEe0J9SfdBQTmEyQFKQrxIQ8k+Cf+DwoQ8Jz9xgDfqP8L/eAZfw3j+PbV",
  ],
  [
    "instruments",
    "Choir",
    "7wkPCjgJ0SPsGQnw8QIT8eDn/CEE0govzvj+KAD4KP0G6w8G8fsB+fr/7+z5JcjW/OQS8B0A+vze/wLn8tT7C/PpySX5DRz7BfBC24kYQtMMDfPI7vjx+ekP1+/vfwoW",
  ],
  [
    "instruments",
    "Distorted Guitar",
    "6/P85X83fPPELDEKyQkcIQn/GA8IvQkGz/nUJ//p7vr1J9nq+AT6DQn/DdXxHBP9Cc72+PnK+xIk5hEu9dX6JUPtMA3q4MjoM1BFWPkEF836MujeMSxJDNrfqjDgANkd",
  ],
  [
    "instruments",
    "Double Bass",
    "+S3mGvbI1c/wNugBKyZIB/Qh9gMxHtwQAvPzGgfqDhDm6yL96Nz+1vYJ+ATtGNvJ6LLs9NXsNAjWJMLHQP8F/e4PHf7wBS8a+PWp2w8c1hXW2YG+UM7m9x/hj9rDJhVX",
  ],
  [
    "instruments",
    "Drums",
    "8/AVDRES6u4LEeYSDA4TFAED+/7zFPcL+/X4Dv39/fH/BfP5BQoOBQEGDvMJKiANDvcE/QMQ5v8LAxvmE9sTEf4MBwPz+QQQ+wIDCsUVFL8P+f72EwoK6/cNgfj12w4K",
  ],
  [
    "instruments",
    "Electric Guitar",
    "DiTx7Uw6ee7cEBsWxX8XG/D4EuX34AgM8RXdOQIJy/HrLtsCDQEKG+b9CdfnD/PpGuwI/um9GTFU/fYRDcHVPDzuLvjo/NwAKQcnCUDfGQYaFP0SGU0cBOL5Bi8KLg3f",
  ],
  [
    "instruments",
    "Flute",
    "EegE+RQX+enz5e3n3On5Ef3rJQcJCRH/ERX98RX1BvEF/uv/8AD+8unz4gL95er26+ru/+QBNigREA8A7PYjBAT/DPH++gIaAfUd+0nr6OvvBA/3Ab0PD+rxLMsAgRgZ",
  ],
  [
    "instruments",
    "Guitar",
    "C7/g+D08ZOTV/gMNs0giDcDyEdoQ3wrw2xfkMAsTo+rqHgAPAA4GCQD0Fd3y+wYVIeMM6fa7ETFEBckcBP3OLh8BOO0G/PkABv9pD3/q+PcQD/RDI0gd+ePvzu0QMvfo",
  ],
  [
    "instruments",
    "Strings",
    "8UUF6fb38qveBAvn0Az/ywnr4/z/GeTE//AEGOsH9x0V6gvZ8CD4+/Dh2AjQAtP87n8H/dEoHBT+HN8x7UEAChMC+N70INQNCT+7HFX85LgjOf8F3+8CNAQsdOjpOiYu",
  ],
  [
    "instruments",
    "Synth Bass",
    "/h71Awb1EhP1AgIG+Ofm7wf0BAUU7/7rFAT8AQwP/AT+Cf7+8Qn3+AgDAgb0BhUP+Pn87RUBAvD2DBL3/u/o/QwHDAn8GPYA4xwOEgYME/0A6QEJ/fv0/SEMgRIO6P46",
  ],
  [
    "instruments",
    "Synth Lead",
    "4IzuMtoCCk8f/Ond/6DN4S0X+yAW7Pky8BAf7hr2H/EU/PMV/Or47wAM9jAiCbYZzFQvEvk9Efnf3sDxBeRgESMdQxjlBxHMGMnnCagot+Tc4gDSQH/YwxXPUb5j/wJS",
  ],
  [
    "instruments",
    "Synth Pad",
    "GyAiH/IK5fgv6xUmJb3m+g8oD+8IBwQT3w4qAyT12RsB/+nm8ggG4ykoFL3XEDPt7SraABn59dEyz87qNMQsEf3+Hw8K5hTlja2B2dn0e5oUWBHs6sMYA+wj4ZkiCtzV",
  ],
  [
    "instruments",
    "Synth Strings",
    "/H8QCOIF3PD7/9fqF/kHBw4DJ/oCAPcBEAMKyAIM1hAEygUPDRADDxQDCBn3BBf9G/3bvgzqA+QT0yryFQrz5ukSBSQC+x8K1ejk//oLL+4NBCL81+jvJgE9FyAJHfnW",
  ],
  [
    "instruments",
    "Synth",
    "6RT4JOsF4VEj6RUOCZuv+wIU/QUu4AUmJBYi9jcd1hUJ+u8D7/Hy5SAqDBkTFP0J2zH47vY6+L794hP5/sUrA/8T/Cb78SXRn9ii/eUjN4nZ60HX/CbCE08DpgI+ge/z",
  ],
  [
    "instruments",
    "Woodwinds",
    "FucF6RcZ6cjz/v727+35AgblHAoDIgH46QgC8Q/4Ewj0+O39BQICEuj1/AUJ4uX4897yFen8IQ0EA/P0/Q0FBeEEB/juAwYiABEi6j3q5fDt8gvx8uQJ6uD2SOz1gQgR",
  ],
  [
    "movements",
    "Four-on-the-Floor",
    "/1EFIB4W7E81GMTmFsvkzg8RIe/47vn3BwP5BQQDCA4aF/8DEkEVGykMFTrxEQHgIGQb+g35Ef79/eLl1x3mHQX4JAzwBPHp5uTD5q4Pf80a3uDSB/ES+s0j3O0OE/0B",
  ],
];
