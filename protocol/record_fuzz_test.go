package protocol

import "testing"

// FuzzParseRecord wants an accepted record to be valid when written again.
func FuzzParseRecord(f *testing.F) {
	f.Add([]byte(`{"matchId":"m","startTime":1,"gameMetaURL":"","gameRoleNames":["a"],"isCompleted":true,"states":["(on)"],"moves":[],"stateTimes":[1],"errors":[],"goalValues":[100],"previewClock":-1,"startClock":1,"playClock":1}`))
	f.Add([]byte(`{"states":["("],"moves":[[1]]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		record, err := ParseRecord(data)
		if err != nil {
			return
		}
		written, err := record.MarshalJSON()
		if err != nil {
			t.Fatalf("accepted, but cannot be written: %v", err)
		}
		if _, err := ParseRecord(written); err != nil {
			t.Errorf("%s: %v", written, err)
		}
	})
}
