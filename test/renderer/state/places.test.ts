import { describe, expect, test } from 'vitest';
import {
  addressOf,
  FIRST_PLACE,
  placeOf,
  Places,
  type Place
} from '../../../src-renderer/state/places.svelte.ts';

describe('places', () => {
  test('goes back and forward through what was visited', () => {
    const places = new Places();
    places.go({ nodeId: 'a' });
    places.go({ view: 'chunks', item: '3' });
    expect(places.current).toMatchObject({ nodeId: 'a', view: 'chunks', item: '3' });
    places.back();
    expect(places.current).toMatchObject({ view: 'overview', item: null });
    places.forward();
    expect(places.current.item).toBe('3');
    expect(places.canGoForward).toBe(false);
  });

  test('forgets the way forward once one goes elsewhere', () => {
    const places = new Places();
    places.go({ nodeId: 'a' });
    places.go({ view: 'chunks' });
    places.back();
    places.go({ view: 'streams' });
    expect(places.canGoForward).toBe(false);
    places.back();
    expect(places.current.view).toBe('overview');
  });

  test('adjusts a place without a step back to what it was', () => {
    const places = new Places();
    places.go({ nodeId: 'a', view: 'chunks', item: '1' });
    places.adjust({ item: '2' });
    places.adjust({ item: '3' });
    places.back();
    expect(places.current).toEqual(FIRST_PLACE);
  });

  test('takes no step to where one is', () => {
    const places = new Places();
    places.go({ nodeId: 'a' });
    places.go({ view: 'overview' });
    places.back();
    expect(places.canGoBack).toBe(false);
  });
});

describe('addresses', () => {
  const place: Place = {
    nodeId: 'abc',
    cluster: null,
    view: 'chunks',
    application: null,
    item: '12',
    hasRecords: true,
    record: 4096,
    options: {}
  };

  test('name a place and lead back to it', () => {
    expect(addressOf(place)).toBe('winnow://abc/chunks/12/records?record=4096');
    expect(placeOf(addressOf(place))).toEqual(place);
  });

  test('keep what else is shown: a filter, an order', () => {
    const places = new Places();
    places.go(place);
    places.setOptions({ filter: 'stream:"a&b=c" pos>5', colour: 'age' });
    const address = addressOf(places.current);
    expect(address).toBe(
      'winnow://abc/chunks/12/records?record=4096&colour=age&filter=stream%3A%22a%26b%3Dc%22%20pos%3E5'
    );
    expect(placeOf(address)).toEqual(places.current);
    places.setOptions({ filter: '', colour: null });
    expect(places.current).toEqual(place);
  });

  test('keep stream names with slashes and spaces whole', () => {
    const stream: Place = { ...FIRST_PLACE, nodeId: 'abc', view: 'streams', item: 'a/b c?d' };
    expect(placeOf(addressOf(stream))).toEqual(stream);
  });

  test.each([
    '',
    'https://example.org',
    'winnow://abc/nowhere',
    'winnow://%ff/chunks',
    'winnow://abc/chunks/1?record=x',
    'winnow://abc/chunks?=x'
  ])('are not made of %j', (text) => {
    expect(placeOf(text)).toBeUndefined();
  });
});
