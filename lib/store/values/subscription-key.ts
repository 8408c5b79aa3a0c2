/** The identity of a subscription. */
export interface SubscriptionKey {
  readonly account: string;
  readonly name: string;
}
