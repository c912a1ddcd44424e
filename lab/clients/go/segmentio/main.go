// segmentio kafka-go: BOOTSTRAP TOPIC GROUP CLIENT_ID [untimed]
package main

import (
	"context"
	"log"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/segmentio/kafka-go"
)

func main() {
	flags := log.LstdFlags | log.Lmicroseconds | log.LUTC
	if len(os.Args) > 5 {
		flags = 0
	}
	reader := kafka.NewReader(kafka.ReaderConfig{
		Brokers:           strings.Split(os.Args[1], ","),
		Topic:             os.Args[2],
		GroupID:           os.Args[3],
		Dialer:            &kafka.Dialer{ClientID: os.Args[4], Timeout: 10 * time.Second},
		SessionTimeout:    10 * time.Second,
		HeartbeatInterval: time.Second,
		Logger:            log.New(os.Stdout, "", flags),
		ErrorLogger:       log.New(os.Stdout, "", flags),
	})
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	for ctx.Err() == nil {
		if _, err := reader.ReadMessage(ctx); err != nil && ctx.Err() == nil {
			log.Printf("read failed: %v", err)
			time.Sleep(time.Second)
		}
	}
	reader.Close()
}
