package protocol

import (
	"net"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// arrival is when the last data of a connection came to this machine: on a busy one that
// is earlier than it could be read. now, where the system does not tell.
func arrival(c net.Conn, now time.Time) time.Time {
	s, ok := c.(syscall.Conn)
	if !ok {
		return now
	}
	raw, err := s.SyscallConn()
	if err != nil {
		return now
	}
	ago := time.Duration(0)
	err = raw.Control(func(fd uintptr) {
		if info, err := unix.GetsockoptTCPInfo(int(fd), unix.IPPROTO_TCP, unix.TCP_INFO); err == nil {
			ago = max(0, time.Duration(info.Last_data_recv)*time.Millisecond-systemTick)
		}
	})
	if err != nil || ago > longestUnread {
		return now
	}
	return now.Add(-ago)
}

// systemTick is how much too long ago the system may say that data came: messages must not
// seem to be older than those before them.
const systemTick = 10 * time.Millisecond

// longestUnread is more than a busy machine leaves data unread; a longer time is no
// measure of that.
const longestUnread = 30 * time.Second
