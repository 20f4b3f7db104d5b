import {
  everySetting,
  listed,
  propertiesOf,
  readable,
  resourcesOf,
  synthesized,
  type TemplateDocument,
} from '../support/synthesized.ts';

interface Alarm {
  readonly AlarmActions?: readonly unknown[];
  readonly OKActions?: readonly unknown[];
}

/** Returns the targets that each alarm notifies when it is raised and when it ends. */
function notifiedIn(document: TemplateDocument): readonly (readonly string[])[] {
  const alarms = propertiesOf<Alarm>(document, 'AWS::CloudWatch::Alarm');
  return alarms.flatMap(({ AlarmActions = [], OKActions = [] }) => [
    AlarmActions.map(readable),
    OKActions.map(readable),
  ]);
}

describe('where alarms go', () => {
  const everything = synthesized(everySetting).document;

  test('is nowhere by default', () => {
    const { document } = synthesized();
    expect(notifiedIn(document).flat()).toEqual([]);
    expect(resourcesOf(document, 'AWS::SNS::Topic')).toEqual([]);
  });

  test('is both topics that are set, when an alarm begins and when it ends', () => {
    const notified = new Set(notifiedIn(everything).map((topics) => topics.join(' and ')));
    expect([...notified]).toEqual([`<AlarmsTopic> and ${everySetting.alarmTopicArn}`]);
  });

  test('is the mail address that is set, through the topic of the stack', () => {
    expect(propertiesOf(everything, 'AWS::SNS::Subscription')).toEqual([
      { Protocol: 'email', Endpoint: everySetting.alarmEmail, TopicArn: { Ref: expect.any(String) } },
    ]);
  });

  test('is a topic to which only alarms of this account may publish, over TLS', () => {
    const [policy] = propertiesOf<{
      readonly PolicyDocument: { readonly Statement: readonly Record<string, unknown>[] };
    }>(everything, 'AWS::SNS::TopicPolicy');
    const statements = policy?.PolicyDocument.Statement ?? [];
    expect(statements.map(({ Effect, Action, Principal }) => [Effect, listed(Action), Principal])).toEqual([
      ['Deny', ['sns:Publish'], '*'],
      ['Allow', ['sns:Publish'], { Service: 'cloudwatch.amazonaws.com' }],
    ]);
    expect(statements[0]?.Condition).toEqual({ Bool: { 'aws:SecureTransport': 'false' } });
    const condition = statements[1]?.Condition as Record<string, Record<string, unknown>> | undefined;
    const { StringEquals, ArnLike } = condition ?? {};
    expect(readable(StringEquals?.['aws:SourceAccount'])).toBe('<AWS::AccountId>');
    expect(readable(ArnLike?.['aws:SourceArn'])).toBe(
      'arn:<AWS::Partition>:cloudwatch:<AWS::Region>:<AWS::AccountId>:alarm:*',
    );
  });
});
