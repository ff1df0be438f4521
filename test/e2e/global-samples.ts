/** Before all tests in windows a place for the sample databases that they share, and afterwards none. */
import { makeSamplePlace, removeSamplePlace } from './sample-database.ts';

export default function setUp(): () => void {
  const place = makeSamplePlace();
  return () => removeSamplePlace(place);
}
