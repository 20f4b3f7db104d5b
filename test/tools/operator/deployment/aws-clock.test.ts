import { awsClock, describeSkew } from '../../../../tools/operator/deployment/aws-clock.ts';

const [second, hour] = [1000, 3_600_000];

test('a clock that is set right is followed', () => {
  const measured = { systemClockOffset: 2 * hour };
  const { skew } = awsClock(measured);
  expect(skew()).toBe(2 * hour);
  measured.systemClockOffset = -60 * second;
  expect(skew()).toBe(0);
});

test.for([
  ['a warning', '61 s', 61 * second, /is 1 min 01 s behind AWS\. The time of AWS is used instead\.$/],
  ['a warning', '-90 min', -90 * 60 * second, /is 1 h 30 min ahead of AWS\./],
  ['nothing', '-50 s', -50 * second, /^$/],
] as const)('%s is printed if AWS is ahead by %s', ([, , systemClockOffset, sentence]) => {
  expect(describeSkew(awsClock({ systemClockOffset })) ?? '').toMatch(sentence);
});
